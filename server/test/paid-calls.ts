import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, type ESTree } from 'vite'

/**
 * What calls and jobs do with the payments port, read from the source: from what a call is mounted with, along every name that it
 * uses. Answers for each `call …` and `job …` the verbs (`verb …`) that it reaches, and the jobs (`job …`) that it leaves for later.
 */
export const readPaidCalls = (folder: string): Map<string, Set<string>> => {
  const uses = new Map<string, Set<string>>()
  for (const file of sourcesOf(folder)) readFile(file, uses)
  const starts = [...uses.keys()].filter((name) => /^(call|job) /.test(name))
  return new Map(starts.map((name) => [name, reached(name, uses)]))
}

/** Files in which the port is held in another way than `payments().verb`, which nothing here follows. */
export const heldOtherwise = (folder: string): string[] =>
  sourcesOf(folder).flatMap((file) => {
    const { program } = parseSync(file, readFileSync(file, 'utf8'))
    const nodes = nodesIn(program)
    const held = nodes.filter(isPort).length
    const asked = nodes.filter((node) => node.type === 'MemberExpression' && isPort(node.object)).length
    return held === asked ? [] : [`${file}: ${held - asked} times`]
  })

const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => !/^(stand-ins|outside\/payments)\//.test(name))
    .map((name) => join(folder, name))

/** The verbs of a port: what the type of this name in a file has for members. */
export const membersOf = (file: string, type: string): string[] => {
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  const found = nodesIn(program).find((node) => node.type === 'TSTypeAliasDeclaration' && node.id.name === type)
  if (found?.type !== 'TSTypeAliasDeclaration' || found.typeAnnotation.type !== 'TSTypeLiteral') return []
  return found.typeAnnotation.members.flatMap((one) =>
    one.type === 'TSPropertySignature' && one.key.type === 'Identifier' ? [one.key.name] : [],
  )
}

const reached = (start: string, uses: Map<string, Set<string>>): Set<string> => {
  const seen = new Set<string>([start])
  for (const one of seen)
    if (one === start || !one.startsWith('job ')) for (const next of uses.get(one) ?? []) seen.add(next)
  return new Set([...seen].filter((one) => one !== start && /^(verb|job) /.test(one)))
}

/** Notes what each thing of a file uses: `file name` for what is declared, `call …`, `job …` and `verb …`. */
const readFile = (file: string, uses: Map<string, Set<string>>): void => {
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  const imported = importsOf(program, file)
  const declared = declarationsOf(program)
  const resolve = (name: string): string | undefined =>
    imported.get(name) ?? (declared.has(name) ? `${file} ${name}` : undefined)
  const note = (who: string, what: ESTree.Node) => {
    const found = uses.get(who) ?? new Set<string>()
    uses.set(who, found)
    for (const one of usedIn(what, resolve)) if (one !== who) found.add(one)
  }
  for (const [name, bodies] of declared) for (const body of bodies) note(`${file} ${name}`, body)
  for (const node of nodesIn(program)) {
    const call = mountedBy(node)
    if (call) for (const handler of call.handlers) note(`call ${call.name}`, handler)
    const job = jobBy(node)
    if (job !== undefined) note(`job ${job}`, node)
  }
}

const importsOf = (program: ESTree.Program, file: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const node of program.body)
    if (node.type === 'ImportDeclaration' && node.source.value.startsWith('.'))
      for (const one of node.specifiers)
        if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
          found.set(one.local.name, `${join(dirname(file), node.source.value)} ${one.imported.name}`)
  return found
}

// Functions within functions, too: a handler uses those that stand beside it.
const declarationsOf = (program: ESTree.Program): Map<string, ESTree.Node[]> => {
  const found = new Map<string, ESTree.Node[]>()
  const add = (name: string, body: ESTree.Node) => found.set(name, [...(found.get(name) ?? []), body])
  const top = new Set(
    program.body.flatMap((node) => {
      const one = node.type === 'ExportNamedDeclaration' ? node.declaration : node
      return one?.type === 'VariableDeclaration' ? one.declarations : []
    }),
  )
  for (const node of nodesIn(program))
    if (node.type === 'FunctionDeclaration' && node.id) add(node.id.name, node)
    else if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      if (top.has(node) || /Function/.test(node.init.type)) add(node.id.name, node.init)
  return found
}

const usedIn = (node: ESTree.Node, resolve: (name: string) => string | undefined): string[] =>
  nodesIn(node).flatMap((one) => {
    if (one.type === 'Identifier') return resolve(one.name) ?? []
    if (one.type === 'MemberExpression' && one.property.type === 'Identifier' && isPort(one.object))
      return `verb ${one.property.name}`
    if (one.type !== 'CallExpression' || one.callee.type !== 'Identifier' || one.callee.name !== 'enqueue') return []
    const name = one.arguments[1]
    return name?.type === 'Literal' ? `job ${String(name.value)}` : []
  })

const isPort = (node: ESTree.Node): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'payments'

/** `on(room.call, handler)` and its like. */
const mountedBy = (node: ESTree.Node): { name: string; handlers: ESTree.Node[] } | undefined => {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || !/^on([A-Z]|$)/.test(node.callee.name))
    return undefined
  const [shape, ...handlers] = node.arguments
  if (shape?.type !== 'MemberExpression' || shape.object.type !== 'Identifier') return undefined
  if (shape.property.type !== 'Identifier') return undefined
  const { name } = shape.property
  return { name: `${shape.object.name}.${shape.computed ? `[${name}]` : name}`, handlers }
}

/** `{ name: 'seats', …, run }`, what a job is. */
const jobBy = (node: ESTree.Node): string | undefined => {
  if (node.type !== 'ObjectExpression') return undefined
  const values = new Map(
    node.properties.flatMap((one) =>
      one.type === 'Property' && one.key.type === 'Identifier' ? [[one.key.name, one.value]] : [],
    ),
  )
  const name = values.get('name')
  return values.has('run') && name?.type === 'Literal' ? String(name.value) : undefined
}

/** A node and all within it, without the names of members and properties. */
const nodesIn = (node: ESTree.Node): ESTree.Node[] => {
  const found: ESTree.Node[] = []
  const waiting: unknown[] = [node]
  for (let one = waiting.pop(); one !== undefined || waiting.length > 0; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) waiting.push(...one)
    else {
      const { type, computed } = one as { type?: string; computed?: boolean }
      if (type === undefined) continue
      found.push(one as ESTree.Node)
      const name = computed === false ? { MemberExpression: 'property', Property: 'key' }[type] : undefined
      for (const [key, value] of Object.entries(one)) if (key !== name) waiting.push(value)
    }
  }
  return found
}
