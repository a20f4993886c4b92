# nix run 'github:riverhawk-lang/riverhawk?dir=packaging/nix'
{
  description = "rhawk: AWK with gawk's answers, machine code and Unicode";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      source = ../..;
      workspace = (builtins.fromTOML (builtins.readFile (source + "/Cargo.toml"))).workspace;
      systems = [ "x86_64-linux" "aarch64-linux" ];
      package = system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in pkgs.rustPlatform.buildRustPackage {
          pname = "rhawk";
          version = workspace.package.version;
          src = source;
          cargoLock.lockFile = source + "/Cargo.lock";
          buildType = "dist";
          cargoBuildFlags = [ "-p" "riverhawk-cli" ];
          # The tests ask other awks.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            installManPage man/rhawk.1 man/rhawk-language.5
            installShellCompletion completions/rhawk.{bash,fish} completions/_rhawk
          '';
          meta = {
            description = "AWK with gawk's answers, machine code and Unicode";
            homepage = workspace.package.repository;
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "rhawk";
            platforms = systems;
          };
        };
    in {
      packages = nixpkgs.lib.genAttrs systems (system: { default = package system; });
    };
}
