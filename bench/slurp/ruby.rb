#!/usr/bin/env ruby
# Whole-file reading and writing in ruby.
# Prints size, group, name and nanoseconds of the fastest of many short runs, with tabs between them.

DIRECTORY = ARGV.fetch(0)

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
end

def fastest(size, group, name)
  repeats = 1_000_000 / (10_000 + size) + 1
  best = 60.times.map do
    start = now
    repeats.times { yield }
    (now - start) / repeats
  end.min
  puts [size, group, name, best].join("\t")
end

[512, 9_100, 121_000, 1_048_576].each do |size|
  text = (0...size).map { |at| at % 61 == 60 ? 10 : 97 + at % 26 }.pack("C*")
  source, target = %w[source target].map { |name| File.join(DIRECTORY, "ruby.#{name}") }
  File.binwrite(source, text)
  buffer = String.new

  fastest(size, "read", "ruby binread") { File.binread(source) }
  fastest(size, "read into buffer", "ruby sysread") { File.open(source, "rb") { |file| file.sysread(size, buffer) } }
  fastest(size, "lines", "ruby foreach") do
    total = 0
    File.foreach(source, mode: "rb") { |line| total += line.bytesize }
  end
  fastest(size, "list of lines", "ruby readlines") { File.readlines(source, mode: "rb") }
  fastest(size, "write", "ruby binwrite") { File.binwrite(target, text) }
  fastest(size, "write atomically", "ruby binwrite") do
    File.binwrite("#{target}.tmp", text)
    File.rename("#{target}.tmp", target)
  end
  File.delete(source, target)
end
