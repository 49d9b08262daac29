import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNonNullExpression,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isNoSubstitutionTemplateLiteral,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isSpreadElement,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import type {
  ArrowFunction,
  CallExpression,
  Node,
  ObjectLiteralExpression,
  TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync'

/**
 * A statement as it stands in the source: its text with `$1`, `$2`… for values, and the type its rows are declared to have
 * (undefined: nobody reads them). Where a part of it is chosen by a condition, both ways are a statement each.
 */
export type Statement = { at: string; texts: string[]; row: Type | undefined }

const root = resolve(import.meta.dirname, '../..')

/**
 * Reads every statement below server/src out of the compiler's own tree. `unread`: places of those that are put together
 * only when they run. `done` ends the compiler.
 */
export const readStatements = (): {
  statements: Statement[]
  unread: string[]
  checker: Checker
  done: () => void
} => {
  const api = new API({ cwd: root })
  const project = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()[0]!
  const unread: string[] = []
  const statements = sources().flatMap((file) =>
    all(project.program.getSourceFile(file)!, isTaggedTemplateExpression)
      .filter(({ tag }) => tag.getText() === 'sql')
      .flatMap((template) => {
        try {
          return statementsOf(template, project, file)
        } catch (error) {
          if (!(error instanceof Unread)) throw error
          unread.push(error.message)
          return []
        }
      }),
  )
  return { statements, unread, checker: project.checker, done: () => api.close() }
}

const sources = (): string[] =>
  (readdirSync(join(root, 'server/src'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(root, 'server/src', name))

const statementsOf = (template: TaggedTemplateExpression, project: Project, file: string): Statement[] => {
  const { checker } = project
  const at = `${relative(root, file)}:${lineOf(template)}`
  const [declared] = template.typeArguments ?? []
  if (declared === undefined && !isRun(template)) return []
  const row = declared && checker.getTypeFromTypeNode(declared)!
  // A function whose callers say what its rows are, or hand it a part: each call is a statement.
  const eachCall = (around: ArrowFunction) =>
    callsOf(around, project).map((call) => ({
      at: `${at} as called at ${relative(root, call.getSourceFile().fileName)}:${lineOf(call)}`,
      texts: bothWays(template, project, givenTo(around, call, new Map(), checker)),
      row: row?.isTypeParameter() ? rowOf(call, checker) : row,
    }))
  if (row?.isTypeParameter()) return eachCall(functionAround(template))
  try {
    return [{ at, texts: bothWays(template, project, new Map()), row }]
  } catch (error) {
    if (error instanceof OfCaller) return eachCall(error.around)
    throw error
  }
}

/** `tx.rows(…)`, `tx.first(…)` or `tx.count(…)` of it. */
const isRun = ({ parent }: Node): boolean =>
  isCallExpression(parent) &&
  isPropertyAccessExpression(parent.expression) &&
  ['rows', 'first', 'count'].includes(parent.expression.name.getText())

const rowOf = (call: CallExpression, checker: Checker): Type =>
  checker.getTypeAtLocation(call)!.getAliasTypeArguments()[0] ??
  checker.getTypeArguments(checker.getTypeAtLocation(call) as never)[0]!

const bothWays = (node: Node, project: Project, given: Given): string[] => [
  ...new Set([true, false].map((way) => new Composer(project, way).textOf(node, given))),
]

/** What a function's parameters stand for, by their symbols. */
type Given = ReadonlyMap<number, { node: Node; given: Given }>

class Composer {
  #values = 0
  readonly #project: Project
  readonly #way: boolean

  constructor(project: Project, way: boolean) {
    this.#project = project
    this.#way = way
  }

  /** The SQL of an expression that is a statement or a part of one. */
  textOf(node: Node, given: Given): string {
    if (isParenthesizedExpression(node) || isAsExpression(node) || isNonNullExpression(node))
      return this.textOf(node.expression, given)
    if (isTaggedTemplateExpression(node)) return this.#textOfTemplate(node, given)
    if (isConditionalExpression(node)) return this.textOf(this.#way ? node.whenTrue : node.whenFalse, given)
    if (isCallExpression(node)) return this.#textOfCall(node, given)
    return this.#textOfName(node, given)
  }

  #textOfTemplate({ template }: TaggedTemplateExpression, given: Given): string {
    if (isNoSubstitutionTemplateLiteral(template)) return template.text
    if (!isTemplateExpression(template)) throw new Unread(template)
    return (
      template.head.text +
      template.templateSpans
        .map(({ expression, literal }) => {
          const part = this.#isPart(expression) ? this.textOf(expression, given) : `$${++this.#values}`
          return part + literal.text
        })
        .join('')
    )
  }

  #textOfCall(call: CallExpression, given: Given): string {
    const name = call.expression.getText()
    if (name === 'sql.join') return this.#textOfJoin(call, given)
    if (name === 'sql.raw') return '1'
    if (name === 'sql.lit') return this.#literalOf(call.arguments[0]!)
    const called = this.#valueOf(call.expression)
    if (!called || !isArrowFunction(called)) throw new Unread(call)
    return this.textOf(this.#bodyOf(called), givenTo(called, call, given, this.#project.checker))
  }

  /** A literal that the compiler knows; null for one of several. */
  #literalOf(value: Node): string {
    const { checker } = this.#project
    const text = checker.typeToString(checker.getTypeAtLocation(value)!)
    return /^\d+$/.test(text) ? text : /^"\w+"$/.test(text) ? text.replaceAll('"', "'") : 'null'
  }

  #textOfJoin({ arguments: [list, separator] }: CallExpression, given: Given): string {
    const between = separator ? this.textOf(separator, given) : ', '
    return this.#textsOf(list!, given).join(between)
  }

  #textsOf(list: Node, given: Given): string[] {
    if (isArrayLiteralExpression(list))
      return list.elements.flatMap((one) =>
        isSpreadElement(one) ? this.#textsOf(one.expression, given) : [this.textOf(one, given)],
      )
    if (isIdentifier(list)) return this.#textsOf(this.#valueOf(list)!, given)
    // One of many that are made alike.
    if (isCallExpression(list) && list.expression.getText().endsWith('.map')) {
      const made = list.arguments[0]!
      if (!isArrowFunction(made)) throw new Unread(list)
      const body = this.#bodyOf(made)
      return [this.#isPart(body) ? this.textOf(body, given) : `$${++this.#values}`]
    }
    throw new Unread(list)
  }

  #textOfName(name: Node, given: Given): string {
    const declaration = this.#declarationOf(name)
    const known = given.get(this.#symbolOf(name)?.id ?? -1)
    if (known) return this.textOf(known.node, known.given)
    if (declaration && isVariableDeclaration(declaration) && declaration.initializer)
      return this.textOf(declaration.initializer, given)
    if (declaration && isPropertyAssignment(declaration)) return this.textOf(declaration.initializer, given)
    if (declaration && isParameterDeclaration(declaration)) {
      if (declaration.initializer) return this.textOf(declaration.initializer, given)
      const around = declaration.parent as ArrowFunction
      if (isVariableDeclaration(around.parent)) throw new OfCaller(around)
      // What a list hands to the function that makes a statement's part of each: conditions.
      return 'true'
    }
    // What kernel/page.ts hands to whoever selects a page.
    if (declaration && isBindingElement(declaration)) {
      if (declaration.initializer) return this.textOf(declaration.initializer, given)
      const part = partsOfPages[declaration.name!.getText()]
      if (part !== undefined) return part
    }
    throw new Unread(name)
  }

  #bodyOf({ body }: ArrowFunction): Node {
    if (!isBlock(body)) return body
    const returns = all(body, isReturnStatement)
    return (this.#way ? returns[0] : returns.at(-1))!.expression!
  }

  #isPart(node: Node): boolean {
    const { checker } = this.#project
    return /^(RawBuilder|Sql)\b/.test(checker.typeToString(checker.getTypeAtLocation(node)!))
  }

  #valueOf(name: Node): Node | undefined {
    const declaration = this.#declarationOf(name)
    return declaration && isVariableDeclaration(declaration) ? declaration.initializer : undefined
  }

  #declarationOf(name: Node): Node | undefined {
    return this.#symbolOf(name)?.valueDeclaration?.resolve()
  }

  #symbolOf(name: Node): Symbol | undefined {
    const { checker } = this.#project
    const symbol = isShorthandPropertyAssignment(name.parent)
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(isPropertyAccessExpression(name) ? name.name : name)
    if (!symbol || symbol.valueDeclaration) return symbol
    return checker.getAliasedSymbol(symbol)
  }
}

const partsOfPages: Record<string, string> = {
  where: 'true',
  tail: '',
  keys: `''::text as page_key, gen_random_uuid() as page_id`,
}

const functionAround = (node: Node): ArrowFunction => {
  for (let at = node.parent; at; at = at.parent) if (isArrowFunction(at)) return at
  throw new Unread(node)
}

/** Where a function that has a name is called in its own file. */
const callsOf = (called: ArrowFunction, { checker }: Project): CallExpression[] => {
  if (!isVariableDeclaration(called.parent)) throw new Unread(called)
  const { name } = called.parent
  return checker
    .getReferencesToSymbolInFile(called.getSourceFile().fileName, checker.getSymbolAtLocation(name)!)
    .map((reference) => reference.resolve()!)
    .flatMap((node) => (isCallExpression(node.parent) && node.parent.expression === node ? [node.parent] : []))
}

const givenTo = (called: ArrowFunction, call: CallExpression, given: Given, checker: Checker): Given =>
  new Map([
    ...given,
    ...called.parameters.flatMap(({ name }, index) => {
      const argument = call.arguments[index]
      const named: [Node, Node | undefined][] =
        isObjectBindingPattern(name) && argument && isObjectLiteralExpression(argument)
          ? name.elements.map((element) => [element.name!, partNamed(argument, element.name!.getText())])
          : [[name, argument]]
      return named.flatMap(([one, node]) => {
        const symbol = node && checker.getSymbolAtLocation(one)
        return symbol ? [[symbol.id, { node, given }] as const] : []
      })
    }),
  ])

/** The value of a field of an object that is written out, where it is given by `name: value`. */
const partNamed = (object: ObjectLiteralExpression, name: string): Node | undefined =>
  object.properties.flatMap((property): Node[] => {
    if (isPropertyAssignment(property) && property.name.getText() === name) return [property.initializer]
    return isShorthandPropertyAssignment(property) && property.name.getText() === name ? [property.name] : []
  })[0]

const all = <Found extends Node>(from: Node, is: (node: Node) => node is Found): Found[] => {
  const found: Found[] = []
  const visit = (node: Node) => {
    if (is(node)) found.push(node)
    node.forEachChild(visit)
  }
  visit(from)
  return found
}

const lineOf = (node: Node): number => node.getSourceFile().text.slice(0, node.getStart()).split('\n').length

/** A part that a function's caller hands it. */
class OfCaller extends Error {
  readonly around: ArrowFunction

  constructor(around: ArrowFunction) {
    super('a part is handed over by the caller')
    this.around = around
  }
}

class Unread extends Error {
  constructor(node: Node) {
    super(`${relative(root, node.getSourceFile().fileName)}: ${node.getText()}`)
  }
}
