#!/usr/bin/perl
# Whole-file reading and writing in perl: sysread and syswrite, File::Slurp and Path::Tiny where they are installed.
# Prints size, group, name and nanoseconds of the fastest of many short runs, with tabs between them.
use strict;
use warnings;
use Fcntl;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $directory = shift // die "usage: perl.pl DIRECTORY\n";
my $slurp = eval { require File::Slurp; 1 };
my $tiny  = eval { require Path::Tiny; 1 };

sub fastest {
    my ($size, $group, $name, $run) = @_;
    my $repeats = int(1_000_000 / (10_000 + $size)) + 1;
    my $best;
    for (1 .. 60) {
        my $begin = clock_gettime(CLOCK_MONOTONIC);
        $run->() for 1 .. $repeats;
        my $time = (clock_gettime(CLOCK_MONOTONIC) - $begin) / $repeats * 1e9;
        $best = $time if !defined $best || $time < $best;
    }
    printf "%d\t%s\t%s\t%.0f\n", $size, $group, $name, $best;
}

for my $size (512, 9_100, 121_000, 1_048_576) {
    my $text = join '', map { $_ % 61 == 60 ? "\n" : chr(97 + $_ % 26) } 0 .. $size - 1;
    my ($source, $target) = map { "$directory/perl.$_" } qw(source target);
    open my $out, '>:raw', $source or die $!;
    print $out $text;
    close $out or die $!;
    my $buffer = '';

    my $sysread = sub {
        sysopen my $in, $source, O_RDONLY or die $!;
        my $left = -s $in;
        my $at = 0;
        while ($left) {
            my $count = sysread $in, $_[0], $left, $at;
            die $! unless defined $count;
            last unless $count;
            $left -= $count;
            $at   += $count;
        }
    };
    fastest($size, 'read', 'perl sysread', sub { my $read = ''; $sysread->($read) });
    fastest($size, 'read into buffer', 'perl sysread', sub { $sysread->($buffer) });
    fastest($size, 'lines', 'perl readline', sub {
        open my $in, '<:raw', $source or die $!;
        my $total = 0;
        while (my $line = <$in>) { $total += length $line }
    });
    fastest($size, 'list of lines', 'perl readline', sub { open my $in, '<:raw', $source or die $!; my @lines = <$in> });
    fastest($size, 'write', 'perl syswrite', sub {
        sysopen my $file, $target, O_WRONLY | O_CREAT | O_TRUNC or die $!;
        syswrite($file, $text) == $size or die $!;
        close $file or die $!;
    });
    fastest($size, 'write atomically', 'perl syswrite', sub {
        sysopen my $file, "$target.tmp", O_WRONLY | O_CREAT | O_EXCL or die $!;
        syswrite($file, $text) == $size or die $!;
        close $file or die $!;
        rename "$target.tmp", $target or die $!;
    });
    if ($slurp) {
        fastest($size, 'read', 'File::Slurp', sub { my $read = File::Slurp::read_file($source, binmode => ':raw') });
        fastest($size, 'read into buffer', 'File::Slurp',
            sub { File::Slurp::read_file($source, binmode => ':raw', buf_ref => \$buffer); return });
        fastest($size, 'list of lines', 'File::Slurp', sub { my @lines = File::Slurp::read_file($source, binmode => ':raw') });
        fastest($size, 'write', 'File::Slurp', sub { File::Slurp::write_file($target, { binmode => ':raw' }, \$text) });
        fastest($size, 'write atomically', 'File::Slurp',
            sub { File::Slurp::write_file($target, { binmode => ':raw', atomic => 1 }, \$text) });
    }
    if ($tiny) {
        my ($from, $to) = map { Path::Tiny::path($_) } $source, $target;
        fastest($size, 'read', 'Path::Tiny', sub { my $read = $from->slurp_raw });
        fastest($size, 'list of lines', 'Path::Tiny', sub { my @lines = $from->lines_raw });
        # Its append with truncation is the only way not to replace the file; its spew always does.
        fastest($size, 'write', 'Path::Tiny', sub { $to->append_raw({ truncate => 1 }, $text) });
        fastest($size, 'write atomically', 'Path::Tiny', sub { $to->spew_raw($text) });
    }
    unlink $source, $target;
}
