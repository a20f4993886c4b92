// Starts `rhawk --lsp` for the editor. All that it knows of awk is in the server.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCRIPTS = ["shellscript", "makefile", "yaml"];

let client;

exports.activate = async (context) => {
    context.subscriptions.push(
        commands.registerCommand("rhawk.restart", start),
        commands.registerCommand("rhawk.test", test),
        workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("rhawk")) start();
        }),
    );
    await start();
};

exports.deactivate = () => client?.stop();

async function start() {
    await client?.stop().catch(() => {});
    const settings = workspace.getConfiguration("rhawk");
    const languages = ["awk", ...(settings.get("scripts") ? SCRIPTS : [])];
    const initializationOptions = { lint: settings.get("lint") };
    if (settings.get("sample")) initializationOptions.sample = settings.get("sample");
    client = new LanguageClient(
        "rhawk",
        "rhawk",
        { command: settings.get("path"), args: ["--lsp"] },
        { documentSelector: languages.map((language) => ({ language })), initializationOptions },
    );
    try {
        await client.start();
    } catch (error) {
        const openSettings = "Open Settings";
        const message = `rhawk's language server does not start: ${error.message}. Is rhawk installed, and in PATH?`;
        if ((await window.showErrorMessage(message, openSettings)) === openSettings) {
            commands.executeCommand("workbench.action.openSettings", "rhawk.path");
        }
    }
}

// In a terminal, where its report has colours and its places are links.
async function test() {
    const document = window.activeTextEditor?.document;
    if (!document || !(await document.save())) return;
    const name = "rhawk tests";
    const terminal = window.terminals.find((one) => one.name === name) ?? window.createTerminal(name);
    terminal.show(true);
    const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
    terminal.sendText(`${quoted(workspace.getConfiguration("rhawk").get("path"))} --test ${quoted(document.fileName)}`);
}
