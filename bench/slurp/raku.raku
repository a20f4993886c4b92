#!/usr/bin/env raku
# Whole-file reading and writing in raku.
# Prints size, group, name and nanoseconds of the fastest of many short runs, with tabs between them.

sub fastest($size, $group, $name, &run) {
    my $repeats = 300_000 div (20_000 + $size) + 1;
    my $best = Inf;
    for ^40 {
        my $begin = nano;
        run() for ^$repeats;
        $best min= (nano() - $begin) / $repeats;
    }
    say "$size\t$group\t$name\t{$best.round}";
}

sub nano { (now * 1_000_000_000).Int }

sub MAIN($directory) {
    for 512, 9_100, 121_000, 1_048_576 -> $size {
        my $text = buf8.new((^$size).map({ $_ % 61 == 60 ?? 10 !! 97 + $_ % 26 }));
        my ($source, $target) = <source target>.map({ "$directory/raku.$_".IO });
        $source.spurt($text);
        fastest($size, 'read', 'raku slurp :bin', { $source.slurp(:bin) });
        fastest($size, 'lines', 'raku lines', { my $total = 0; $total += .chars for $source.lines });
        fastest($size, 'list of lines', 'raku lines', { my @lines = $source.lines });
        fastest($size, 'write', 'raku spurt', { $target.spurt($text) });
        .unlink for $source, $target;
    }
}
