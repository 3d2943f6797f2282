import typescript from 'typescript-5'

/** A change to a source file: the text between two offsets is replaced. */
export type Mutation = { file: string; start: number; end: number; before: string; after: string; kind: string }

/** All mutations of a file: conditions negated, comparisons and constants moved by one, statements dropped, arrays emptied. */
export const mutationsOf = (file: string, text: string): Mutation[] => {
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const add = (node: typescript.Node, kind: string, after: string) => {
    const start = node.getStart(source)
    found.push({ file, start, end: node.end, before: text.slice(start, node.end), after, kind })
  }
  const visit = (node: typescript.Node): void => {
    if (typescript.isTypeNode(node) || typescript.isImportDeclaration(node) || isLogging(node)) return
    mutate(node, (node) => node.getText(source), add)
    typescript.forEachChild(node, visit)
  }
  visit(source)
  return found
}

type Add = (node: typescript.Node, kind: string, after: string) => void

const mutate = (node: typescript.Node, textOf: (node: typescript.Node) => string, add: Add) => {
  if (typescript.isIfStatement(node)) add(node.expression, 'condition negated', `!(${textOf(node.expression)})`)
  if (typescript.isConditionalExpression(node)) add(node.condition, 'condition negated', `!(${textOf(node.condition)})`)
  if (typescript.isBinaryExpression(node)) {
    const other = swapped[textOf(node.operatorToken)]
    if (other) add(node.operatorToken, 'operator swapped', other)
  }
  if (typescript.isNumericLiteral(node)) add(node, 'constant moved', String(Number(node.text.replaceAll('_', '')) + 1))
  if (node.kind === typescript.SyntaxKind.TrueKeyword) add(node, 'constant moved', 'false')
  if (node.kind === typescript.SyntaxKind.FalseKeyword) add(node, 'constant moved', 'true')
  if (typescript.isExpressionStatement(node)) add(node, 'statement dropped', ';')
  if (typescript.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssigned(node))
    add(node, 'array emptied', '[]')
}

const swapped: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

/** Whether an array is the left side of an assignment. */
const isAssigned = ({ parent }: typescript.Node) =>
  typescript.isBinaryExpression(parent) && parent.operatorToken.kind === typescript.SyntaxKind.EqualsToken

/** Whether a node is a call of the log. */
const isLogging = (node: typescript.Node) =>
  typescript.isCallExpression(node) && /\blog\.(debug|info|warn|error)$/.test(node.expression.getText())

/**
 * Checks types of changed files of a project, whose files are named from its root. The text of a file is on no disk: only the file
 * itself is checked, not what imports it.
 */
export const typeChecker = (root: string, names: string[]) => {
  const { config } = typescript.readConfigFile(`${root}/tsconfig.json`, typescript.sys.readFile)
  const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, root)
  const changed = new Map<string, { version: number; text: string }>()
  const readFile = (path: string) => changed.get(path)?.text ?? typescript.sys.readFile(path)
  const service = typescript.createLanguageService({
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => names.map((name) => `${root}/${name}`),
    getScriptVersion: (path) => String(changed.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = readFile(path)
      return text === undefined ? undefined : typescript.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: typescript.getDefaultLibFilePath,
    fileExists: typescript.sys.fileExists,
    readFile,
    directoryExists: typescript.sys.directoryExists,
    getDirectories: typescript.sys.getDirectories,
  })
  /** How many faults a file has with this text. */
  return (name: string, text: string): number => {
    const path = `${root}/${name}`
    changed.set(path, { version: (changed.get(path)?.version ?? 0) + 1, text })
    return service.getSemanticDiagnostics(path).length + service.getSyntacticDiagnostics(path).length
  }
}
