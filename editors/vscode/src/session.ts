// One session with the server: found, started when Pallas comes up, restarted on demand, its failures said once.
import { ChildProcessWithoutNullStreams as Child } from 'node:child_process';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { CloseAction, ErrorHandler, LanguageClient, LanguageClientOptions, RevealOutputChannelOn, ServerOptions, State } from 'vscode-languageclient/node';
import { endProcess, startProcess } from './process';
import { findServer, NotFound, programName, surroundings } from './server';
import { chosen } from './settings';
import { mentionsPallas } from './text';

export const section = 'pallas-lsp';

/** The time that a server has to end after it was asked to. */
const patience = 2000;

export type Health = 'waiting' | 'starting' | 'running' | 'failed';

/** A client that does not say its troubles where somebody else does, or nobody wants to know. */
class Client extends LanguageClient {
  constructor(server: ServerOptions, options: LanguageClientOptions, private readonly quiet: () => boolean) {
    super(section, 'Pallas', server, options);
  }

  override error(message: string, data?: unknown, show: boolean | 'force' = true): void {
    super.error(message, data, this.quiet() ? false : show);
  }
}

export class Session implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private process: Child | undefined;
  private replacing = false;
  private queue: Promise<void> = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly watching: vscode.Disposable[] = [];
  readonly onDidChange = this.changed.event;
  health: Health = 'waiting';

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.OutputChannel,
  ) {}

  /** Starts the server once a document mentions Pallas, until then nothing runs. */
  startWhenNeeded(): void {
    if (vscode.workspace.textDocuments.some(concernsUs)) {
      void this.restart();
      return;
    }
    const look = (document: vscode.TextDocument) => {
      if (this.health === 'waiting' && concernsUs(document)) {
        void this.restart();
      }
    };
    this.watching.push(
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument((event) => look(event.document)),
    );
  }

  /** Stops the server, even one that hangs while it starts, and starts it anew; calls wait for each other. */
  async restart(): Promise<void> {
    this.stopWatching();
    const stopped = this.stop();
    this.queue = this.queue.then(() => stopped).then(() => this.replace());
    await this.queue;
  }

  /** Asks the server; undefined when there is none that knows the question. */
  async ask<Answer>(method: string, params: object): Promise<Answer | undefined> {
    if (this.health !== 'running' || this.client === undefined) {
      return undefined;
    }
    try {
      return await this.client.sendRequest<Answer>(`${section}/${method}`, params);
    } catch (error) {
      this.log.appendLine(`${section}/${method}: ${reason(error)}`);
      return undefined;
    }
  }

  private async replace(): Promise<void> {
    await this.stop();
    this.become('starting');
    this.replacing = true;
    let from = '';
    let client: LanguageClient | undefined;
    try {
      const setting = vscode.workspace.getConfiguration(section).get<string>('path') ?? '';
      const found = findServer(setting, this.bundled(), surroundings(isFile));
      from = ` (${found.from}: ${found.command})`;
      this.log.appendLine(`starting ${found.command}, found by ${found.from}`);
      client = this.client = this.makeClient(found.command);
      await client.start();
    } catch (error) {
      if (client !== this.client) {
        return; // given up meanwhile, for another that follows
      }
      this.become('failed');
      void this.complain(error instanceof NotFound ? error.message : `pallas-lsp could not be started${from}: ${reason(error)}. Another one can be named in the setting "pallas-lsp.path".`);
    } finally {
      this.replacing = false;
    }
  }

  private bundled(): string {
    return this.context.asAbsolutePath(`server/${programName(process.platform)}`);
  }

  private makeClient(command: string): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: [
        { language: 'python', scheme: 'file' },
        { language: 'python', scheme: 'untitled' },
        { language: 'python', scheme: 'vscode-notebook-cell' },
      ],
      diagnosticCollectionName: section,
      outputChannel: this.log,
      traceOutputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: this.errorHandler(() => client),
      initializationFailedHandler: () => false, // it is said once, where the start fails
      initializationOptions: () => chosen(vscode.workspace.getConfiguration(section)),
      middleware: {
        workspace: {
          configuration: (params) => params.items.map((item) => (item.section === section ? chosen(vscode.workspace.getConfiguration(section)) : null)),
        },
      },
    };
    const client: Client = new Client(() => this.spawn(command, client), options, () => this.replacing || client !== this.client);
    client.onDidChangeState((event) => {
      if (client === this.client) {
        this.become(healthOf(event.newState));
      }
    });
    return client;
  }

  private async spawn(command: string, client: LanguageClient): Promise<Child> {
    const child = await startProcess(command, ['serve', '--stdio'], firstFolder());
    if (client !== this.client) {
      await endProcess(child, 0);
      throw new Error('given up while it was starting');
    }
    child.once('exit', (code, signal) => this.log.appendLine(`the server, process ${child.pid}, ended: ${signal ?? code}`));
    this.process = child;
    return child;
  }

  /** The client's own way with a server that dies, which starts it again unless it dies too often; but one that was given up stays so. */
  private errorHandler(client: () => LanguageClient): ErrorHandler {
    let usual: ErrorHandler | undefined;
    const handler = () => (usual ??= client().createDefaultErrorHandler());
    return {
      error: (error, message, count) => handler().error(error, message, count),
      closed: () => (client() === this.client ? handler().closed() : { action: CloseAction.DoNotRestart, handled: true }),
    };
  }

  private async complain(message: string): Promise<void> {
    this.log.appendLine(message);
    const settings = 'Open Settings';
    const log = 'Show Log';
    const answer = await vscode.window.showErrorMessage(message, settings, log);
    if (answer === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'pallas-lsp.path');
    } else if (answer === log) {
      this.log.show();
    }
  }

  private become(health: Health): void {
    if (health !== this.health) {
      this.health = health;
      this.changed.fire();
    }
  }

  private async stop(): Promise<void> {
    const { client, process } = this;
    this.client = this.process = undefined;
    let grace = patience;
    try {
      await client?.dispose();
    } catch (error) {
      grace = 0; // it hangs, or is not up yet: nobody has told it to end
      this.log.appendLine(`stopping: ${reason(error)}`);
    }
    if (process !== undefined) {
      await endProcess(process, grace);
    }
  }

  private stopWatching(): void {
    this.watching.splice(0).forEach((one) => void one.dispose());
  }

  /** Ends the session; VS Code waits for it. */
  async end(): Promise<void> {
    this.stopWatching();
    await this.stop(); // a start that hangs would not let the queue come to its end
    await this.queue;
    await this.stop();
  }

  dispose(): void {
    this.stopWatching();
    this.changed.dispose();
  }
}

/** A server that ended is started again by the client, so that a stop that lasts is a failure. */
function healthOf(state: State): Health {
  switch (state) {
    case State.Running:
      return 'running';
    case State.Starting:
      return 'starting';
    default:
      return 'failed';
  }
}

/** A Python document that has to do with Pallas, as the server sees it. */
export function concernsUs(document: vscode.TextDocument): boolean {
  return document.languageId === 'python' && ['file', 'untitled', 'vscode-notebook-cell'].includes(document.uri.scheme) && mentionsPallas(document.getText());
}

/** Where the server runs: the first folder of the workspace, when it is on the disk. */
function firstFolder(): string | undefined {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri?.scheme === 'file' && fs.statSync(uri.fsPath, { throwIfNoEntry: false })?.isDirectory() ? uri.fsPath : undefined;
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
