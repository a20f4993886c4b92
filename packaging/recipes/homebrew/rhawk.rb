class Rhawk < Formula
  desc "AWK with gawk's answers, machine code and Unicode"
  homepage "https://github.com/riverhawk-lang/riverhawk"
  url "https://github.com/riverhawk-lang/riverhawk/releases/download/v@VERSION@/riverhawk-@VERSION@.tar.gz"
  sha256 "@SHA256 riverhawk-@VERSION@.tar.gz@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build
  depends_on :linux

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    man1.install "man/rhawk.1"
    man5.install "man/rhawk-language.5"
    bash_completion.install "completions/rhawk.bash" => "rhawk"
    zsh_completion.install "completions/_rhawk"
    fish_completion.install "completions/rhawk.fish"
  end

  test do
    assert_equal "4\n", pipe_output("#{bin}/rhawk '{ n += length($1) } END { print n }'", "näh\nß\n", 0)
  end
end
