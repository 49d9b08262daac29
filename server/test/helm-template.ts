/**
 * The documents of a chart's template, from the few of Helm's words that deploy/helm uses: values, `if`, `range` over a map,
 * `define`, `include`, `quote`, `toYaml` and `nindent`. Throws at any other word.
 */
export const renderTemplate = (text: string, { shared, scope }: { shared: string; scope: object }): string => {
  const parts = new Map<string, Part[]>()
  parse(shared, parts)
  return write(parse(text, parts), { parts, scope: { ...scope } as Scope })
}

type Scope = Record<string, unknown>
type Part = { text: string } | { value: string } | { word: 'if' | 'range'; of: string; inner: Part[] }
type World = { parts: Map<string, Part[]>; scope: Scope }

/** `{{-` takes the white space before it away. */
const parse = (text: string, defined: Map<string, Part[]>): Part[] => {
  const open: { close: (inner: Part[]) => void; inner: Part[] }[] = [{ close: () => {}, inner: [] }]
  const pieces = text.split(/(\s*\{\{- [^}]* \}\}|\{\{ [^}]* \}\})/)
  for (const piece of pieces) {
    const inner = open.at(-1)!.inner
    const action = /^\s*\{\{-? (.*) \}\}$/s.exec(piece)?.[1]
    if (action === undefined) {
      if (/\{\{|\}\}/.test(piece)) throw new Error(`not understood: ${piece}`)
      inner.push({ text: piece })
      continue
    }
    const [word = '', ...rest] = action.split(' ')
    if (word === 'end') {
      const { close, inner: done } = open.pop()!
      close(done)
    } else if (word === 'if' || word === 'range')
      open.push({ inner: [], close: (done) => inner.push({ word, of: rest.at(-1)!, inner: done }) })
    else if (word === 'define')
      open.push({ inner: [], close: (done) => void defined.set(JSON.parse(rest[0]!) as string, done) })
    else inner.push({ value: action })
  }
  if (open.length !== 1) throw new Error('an end is missing')
  return open[0]!.inner
}

const write = (parts: Part[], world: World): string =>
  parts
    .map((part) => {
      if ('text' in part) return part.text
      if ('value' in part) return valueOf(part.value, world)
      const of = look(part.of, world.scope)
      if (part.word === 'if') return of ? write(part.inner, world) : ''
      return Object.entries(of as Scope)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([$name, $value]) => write(part.inner, { ...world, scope: { ...world.scope, $name, $value } }))
        .join('')
    })
    .join('')

const valueOf = (action: string, world: World): string => {
  const [first = '', ...pipes] = action.split(' | ')
  const [word = '', of = ''] = first.split(' ')
  let text =
    word === 'include'
      ? write(world.parts.get(JSON.parse(of) as string)!, world)
      : word === 'toYaml'
        ? // JSON is YAML, too.
          JSON.stringify(look(of, world.scope))
        : String(look(first, world.scope))
  for (const pipe of pipes) {
    const indent = /^nindent (\d+)$/.exec(pipe)?.[1]
    if (indent !== undefined) text = text.split('\n').reduce((all, line) => `${all}\n${' '.repeat(+indent)}${line}`, '')
    else if (pipe === 'quote') text = JSON.stringify(text)
    else throw new Error(`not understood: ${pipe}`)
  }
  return text
}

const look = (path: string, scope: Scope): unknown => {
  if (!/^(\.[A-Z]\w*(\.\w+)*|\$\w+)$/.test(path)) throw new Error(`not understood: ${path}`)
  const found = path
    .replace(/^\./, '')
    .split('.')
    .reduce<unknown>((at, name) => (at as Scope | undefined)?.[name], scope)
  if (found === undefined) throw new Error(`${path} has no value`)
  return found
}
