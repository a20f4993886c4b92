module riverhawk/bench/embedding/goawk

go 1.24

require github.com/benhoyt/goawk v1.29.1
