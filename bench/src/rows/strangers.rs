//! Programs as strangers write them: puzzles with queues and grids, memo tables, parsers, simulations.
//! Each runs for about a tenth of a second.

use super::Row;

macro_rules! strangers {
    ($($name:literal, $about:literal;)*) => {
        [$(Row::computes(
            concat!("stranger-", $name),
            $about,
            include_str!(concat!("strangers/", $name, ".awk")),
        )),*]
    };
}

pub fn rows() -> Vec<Row> {
    strangers! {
        "anagrams", "words that are made of the same letters";
        "bank", "customers in the queue of a bank with three counters";
        "bitsets", "colourings of a map, with sets of bits";
        "brain", "an interpreter of a small language";
        "calc", "a calculator by recursive descent";
        "chains", "the longest chain of Collatz, with a memo table";
        "dijkstra", "the shortest ways in a road map";
        "distance", "words that are spelled alike, by edit distance";
        "factorial", "factorials with all their digits";
        "gauss", "systems of linear equations";
        "hanoi", "the towers of Hanoi, with the towers as texts";
        "heap", "a priority queue as a heap";
        "keys", "keys taken apart, looked up and put together again";
        "knapsack", "the most valuable load of a knapsack";
        "lcs", "the longest common subsequence of two texts";
        "life", "Conway's game of life on a torus";
        "looksay", "the sequence that reads itself aloud";
        "maze", "the shortest way through a maze, by a queue";
        "order", "tasks in an order that respects what each needs";
        "palindromes", "numbers that are palindromes in two bases";
        "partitions", "how many ways there are to write a number as a sum, with a memo table";
        "perms", "the permutations of a word that do not begin or end with a vowel";
        "primes", "primes by division, and the widest gap between them";
        "queens", "all ways to put eleven queens on a board";
        "quotes", "a line of CSV taken apart character by character";
        "roman", "numbers as Roman numerals and back";
        "sudoku", "a sudoku, by trying";
        "tokens", "the kinds of tokens in a program text, by match and substr";
        "union", "connected parts of a random graph, by union and find";
        "vigenere", "a text enciphered and deciphered";
        "walk", "ants that turn at each square that they have painted";
        "wrap", "a text set in lines of forty characters, justified";
    }
    .to_vec()
}
