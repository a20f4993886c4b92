// Riverhawk from Go, through cgo.
//
//	CGO_CFLAGS=$(pkg-config --cflags riverhawk) CGO_LDFLAGS=$(pkg-config --libs riverhawk) go run .
package main

/*
#cgo LDFLAGS: -lriverhawk
#include <riverhawk.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// A text for a call, which copies it: nothing of Go's memory is kept.
func text(s string) C.rh_text {
	return C.rh_text{bytes: (*C.uint8_t)(unsafe.StringData(s)), length: C.size_t(len(s))}
}

func str(t C.rh_text) string {
	return unsafe.String((*byte)(t.bytes), int(t.length))
}

func taken(failure *C.rh_error) error {
	defer C.rh_error_free(failure)
	return errors.New(string([]byte(str(C.rh_error_drawn(failure)))))
}

// Run runs a program over a text and returns what it prints.
func Run(source, input string) (string, error) {
	var failure *C.rh_error
	program := C.rh_program_compile(text(source), &failure)
	if program == nil {
		return "", taken(failure)
	}
	defer C.rh_program_free(program)
	run := C.rh_run_new()
	defer C.rh_run_free(run)
	C.rh_run_input(run, text(input))
	outcome := C.rh_program_run(program, run, &failure)
	if outcome == nil {
		return "", taken(failure)
	}
	defer C.rh_outcome_free(outcome)
	return string([]byte(str(C.rh_outcome_stdout(outcome)))), nil
}

func main() {
	printed, err := Run("{ total[$1] += $2 } END { print total[\"tea\"] }", "tea 3\nmilk 1\ntea 4\n")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Print(printed)
	if _, err := Run("BEGIN { getline < \"/etc/passwd\" }", ""); err != nil {
		fmt.Println("refused")
	}
}
