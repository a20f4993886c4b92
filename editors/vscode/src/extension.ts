// Starts `rhawk --lsp` and `rhawk --dap` for the editor. All that they know of awk is in the command.
import {
    commands,
    debug,
    DebugAdapterExecutable,
    type DebugConfiguration,
    type ExtensionContext,
    window,
    workspace,
    type WorkspaceFolder,
} from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

const SCRIPTS = ["shellscript", "makefile", "yaml"];

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
    context.subscriptions.push(
        commands.registerCommand("rhawk.restart", start),
        commands.registerCommand("rhawk.test", test),
        debug.registerDebugAdapterDescriptorFactory("rhawk", {
            createDebugAdapterDescriptor: () => new DebugAdapterExecutable(command(), ["--dap"]),
        }),
        debug.registerDebugConfigurationProvider("rhawk", { resolveDebugConfiguration }),
        workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("rhawk")) start();
        }),
    );
    await start();
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

const command = (): string => workspace.getConfiguration("rhawk").get("path", "rhawk");

// Without a launch.json, the program in the editor runs over files that are asked for.
async function resolveDebugConfiguration(
    folder: WorkspaceFolder | undefined,
    configuration: DebugConfiguration,
): Promise<DebugConfiguration | undefined> {
    if (configuration.request) return configuration;
    const document = window.activeTextEditor?.document;
    if (document?.languageId !== "awk") {
        window.showErrorMessage("Open a program of awk to debug it, or write a launch.json.");
        return undefined;
    }
    const title = "The files that the program reads, with blanks between; none for no input.";
    const files = await window.showInputBox({ prompt: title, placeHolder: "input.txt" });
    if (files === undefined) return undefined;
    const program = document.isUntitled ? { text: document.getText() } : { program: document.fileName };
    const args = files.split(/\s+/).filter((name) => name !== "");
    return { type: "rhawk", request: "launch", name: "This program", ...program, args, cwd: folder?.uri.fsPath };
}

async function start(): Promise<void> {
    await client?.stop().catch(() => {});
    const settings = workspace.getConfiguration("rhawk");
    const languages = ["awk", ...(settings.get("scripts") ? SCRIPTS : [])];
    const initializationOptions: { lint?: string[]; sample?: string } = { lint: settings.get<string[]>("lint") };
    const sample = settings.get<string>("sample");
    if (sample) initializationOptions.sample = sample;
    client = new LanguageClient(
        "rhawk",
        "rhawk",
        { command: command(), args: ["--lsp"] },
        { documentSelector: languages.map((language) => ({ language })), initializationOptions },
    );
    try {
        await client.start();
    } catch (error) {
        const openSettings = "Open Settings";
        const message = `rhawk's language server does not start: ${error instanceof Error ? error.message : error}. Is rhawk installed, and in PATH?`;
        if ((await window.showErrorMessage(message, openSettings)) === openSettings) {
            commands.executeCommand("workbench.action.openSettings", "rhawk.path");
        }
    }
}

// In a terminal, where its report has colours and its places are links.
async function test(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (!document || !(await document.save())) return;
    const name = "rhawk tests";
    const terminal = window.terminals.find((one) => one.name === name) ?? window.createTerminal(name);
    terminal.show(true);
    const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
    terminal.sendText(`${quoted(command())} --test ${quoted(document.fileName)}`);
}
