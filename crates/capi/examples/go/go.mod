module filter

go 1.21
