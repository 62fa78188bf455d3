// What the server is sent: only what somebody chose, so that the defaults of VS Code do not stand above pyproject.toml.

/** The part of vscode.WorkspaceConfiguration that is needed. */
export interface Configuration {
  inspect(key: string): Choices | undefined;
}

export interface Choices {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The settings that go to the server. `path` and `trace` are the client's. */
export const forServer = ['chip', 'jaxVersion', 'select', 'ignore', 'severity', 'hints.refs', 'hints.types', 'hints.copies', 'hints.budget'];

export type Settings = { [key: string]: unknown };

/** The chosen settings as a tree: "hints.refs" becomes { hints: { refs } }. */
export function chosen(configuration: Configuration, keys: readonly string[] = forServer): Settings {
  const tree: Settings = {};
  for (const key of keys) {
    const value = choice(configuration.inspect(key));
    if (value !== undefined && value !== null && value !== '') {
      put(tree, key.split('.'), value);
    }
  }
  return tree;
}

/** The narrowest choice wins; tables of several scopes are joined, as VS Code joins them. */
function choice(choices: Choices | undefined): unknown {
  const values = [choices?.globalValue, choices?.workspaceValue, choices?.workspaceFolderValue].filter((value) => value !== undefined);
  if (values.length > 1 && values.every(isTable)) {
    return Object.assign({}, ...values);
  }
  return values.at(-1);
}

function isTable(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function put(tree: Settings, names: string[], value: unknown): void {
  const [name, ...rest] = names;
  if (name === undefined) {
    return;
  }
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = (tree[name] ??= {}) as Settings;
  put(inner, rest, value);
}
