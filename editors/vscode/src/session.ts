// One session with the server: found, started when Pallas comes up, restarted on demand, its failures said once.
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, RevealOutputChannelOn, ServerOptions, State, TransportKind } from 'vscode-languageclient/node';
import { findServer, NotFound, programName, surroundings } from './server';
import { chosen } from './settings';
import { mentionsPallas } from './text';

export const section = 'pallas-lsp';

export type Health = 'waiting' | 'starting' | 'running' | 'failed';

export class Session implements vscode.Disposable {
  private client: LanguageClient | undefined;
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

  /** Stops the server if it runs, and starts it anew; calls wait for each other. */
  restart(): Promise<void> {
    this.stopWatching();
    this.queue = this.queue.then(() => this.replace());
    return this.queue;
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
    let from = '';
    try {
      const setting = vscode.workspace.getConfiguration(section).get<string>('path') ?? '';
      const found = findServer(setting, this.bundled(), surroundings(isFile));
      from = ` (${found.from}: ${found.command})`;
      this.log.appendLine(`starting ${found.command}, found by ${found.from}`);
      this.client = this.makeClient(found.command);
      await this.client.start();
      this.become('running');
    } catch (error) {
      this.become('failed');
      void this.complain(error instanceof NotFound ? error.message : `pallas-lsp could not be started${from}: ${reason(error)}. Another one can be named in the setting "pallas-lsp.path".`);
    }
  }

  private bundled(): string {
    return this.context.asAbsolutePath(`server/${programName(process.platform)}`);
  }

  private makeClient(command: string): LanguageClient {
    const server: ServerOptions = { command, args: ['serve'], transport: TransportKind.stdio };
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
      initializationOptions: () => chosen(vscode.workspace.getConfiguration(section)),
      middleware: {
        workspace: {
          configuration: (params) => params.items.map((item) => (item.section === section ? chosen(vscode.workspace.getConfiguration(section)) : null)),
        },
      },
    };
    const client = new LanguageClient(section, 'Pallas', server, options);
    client.onDidChangeState((event) => {
      if (client === this.client) {
        this.become(healthOf(event.newState));
      }
    });
    return client;
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
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose(); // fails when the client never came up
    } catch (error) {
      this.log.appendLine(`stopping: ${reason(error)}`);
    }
  }

  private stopWatching(): void {
    this.watching.splice(0).forEach((one) => void one.dispose());
  }

  /** Ends the session; VS Code waits for it. */
  async end(): Promise<void> {
    this.stopWatching();
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

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
