// What embedding GoAWK costs: the tasks of ../src, a number a line.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/benhoyt/goawk/interp"
	"github.com/benhoyt/goawk/parser"
)

const oneLiner = "{ n += $1 } END { print n }"

func best(count int, turn func()) float64 {
	least := 1e9
	for round := 0; round < 5; round++ {
		begun := time.Now()
		for i := 0; i < count; i++ {
			turn()
		}
		least = min(least, time.Since(begun).Seconds()/float64(count))
	}
	return least
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compile(text string, config *parser.ParserConfig) *interp.Interpreter {
	program, err := parser.ParseProgram([]byte(text), config)
	check(err)
	interpreter, err := interp.New(program)
	check(err)
	return interpreter
}

// run executes a compiled program and compares what it prints.
func run(interpreter *interp.Interpreter, input []byte, funcs map[string]any, want string) {
	var output bytes.Buffer
	interpreter.ResetVars()
	_, err := interpreter.Execute(&interp.Config{
		Stdin: bytes.NewReader(input), Output: &output, Funcs: funcs, Environ: []string{},
	})
	check(err)
	if want != strings.TrimSpace(output.String()) {
		check(fmt.Errorf("%s is not %s", output.String(), want))
	}
}

func main() {
	var numbers bytes.Buffer
	for number := range 25 {
		numbers.WriteString(strconv.Itoa(100+number) + "\n")
	}
	sum := compile(oneLiner, nil)
	fmt.Println(best(2000, func() { compile(oneLiner, nil) }) * 1e6)
	fmt.Println(best(20000, func() { run(sum, numbers.Bytes(), nil, "2800") }) * 1e6)

	funcs := map[string]any{"same": func(number float64) float64 { return number }}
	loop := func(body string) float64 {
		text := "BEGIN { for (i = 0; i < 5000000; i++) s += " + body + " }"
		program := compile(text, &parser.ParserConfig{Funcs: funcs})
		return best(1, func() { run(program, nil, funcs, "") })
	}
	fmt.Println((loop("same(i)") - loop("i")) / 5e6 * 1e9)

	text := []byte(strings.Repeat("a line of forty bytes, more or less, 12\n", 5000000))
	length := compile("{ n += length($0) } END { print n }", nil)
	fmt.Println(best(1, func() { run(length, text, nil, "195000000") }))
}
