import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What reads a page's words: by its first argument, or by a setting of these names. */
const readers =
  /^(getBy(Text|Label|Placeholder|AltText|Title|Role)|filter|locator|to(Have|Contain)Text|toHaveAccessibleName)$/
const settings = /^(name|hasText|hasNotText)$/

/** Texts that are put together of others, and how. */
const joined: Record<string, string> = {
  'sam.pages Home Loans': 'LinkedIn’s stand-in calls a page by its account and what it is for',
}

/** A text as it stands in code: its parts, between which something is filled in. */
type Text = string[]

it('each text that a journey looks for on a page is written by the product, or typed by a journey', () => {
  const said = wordsOf(
    files('{domain,contract,edit,media,speech,server,web}/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts')),
  )
  const pages = files('web/*.html').map((file) => ({
    text: readFileSync(join(root, file), 'utf8').replace(/<[^>]+>/g, '\n'),
  }))
  const walks = files('e2e/*.ts').map((file) => ({ file, ...textsOf(join(root, file)) }))
  const looksFor = lookUp([...said, ...pages.map(({ text }) => [text]), ...walks.flatMap(({ others }) => others)])
  const asked = walks.flatMap(({ file, asked }) => asked.map(({ text, line }) => ({ text, at: `${file}:${line}` })))
  expect(asked.length).toBeGreaterThan(1000)
  const unknown = asked.filter(({ text }) => joined[text.join('…')] === undefined && !looksFor(text))
  expect(unknown.map(({ text, at }) => `${at} ${text.join('…')}`)).toEqual([])
})

it('a text of yesterday is found, one that is filled in is not', () => {
  const finds = lookUp([['Save view'], ['', ' videos are late'], ['Delete ', ''], ['Name']])
  expect(finds(['3 videos are late'])).toBe(true)
  expect(finds(['Delete ', ''])).toBe(true)
  expect(finds(['Name: 3 videos'])).toBe(true)
  expect(finds(['Keep view'])).toBe(false)
  expect(finds(['3 videos are overdue'])).toBe(false)
})

const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (path) => path === 'node_modules' })

const wordsOf = (paths: string[]): Text[] => paths.flatMap((path) => textsOf(join(root, path)).others)

/** The texts of a file of code: those that a page is asked for, and all others. */
const textsOf = (path: string): { asked: { text: Text; line: number }[]; others: Text[] } => {
  const code = readFileSync(path, 'utf8')
  const asked = new Map<ESTree.Node, Text>()
  const others: Text[] = []
  const ask = (node: ESTree.Node | null | undefined): void => {
    if (node?.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(ask)
    else if (node?.type === 'ArrayExpression') node.elements.forEach(ask)
    else {
      const text = textOf(node) ?? patternOf(node)
      if (node && text) asked.set(node, text)
    }
  }
  const other = (node: ESTree.Node): void => {
    const text = textOf(node)
    if (text && !asked.has(node)) others.push(text)
  }
  new Visitor({
    CallExpression({ callee, arguments: [first, second] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (!readers.test(callee.property.name)) return
      if (!/^(getByRole|filter|locator)$/.test(callee.property.name)) ask(first)
      for (const node of [first, second])
        if (node?.type === 'ObjectExpression')
          for (const one of node.properties)
            if (one.type === 'Property' && one.key.type === 'Identifier' && settings.test(one.key.name)) ask(one.value)
    },
    Literal: other,
    TemplateLiteral: other,
    JSXText: ({ value }) => void others.push([value]),
    JSXElement: ({ children }) => void others.push(childrenOf(children)),
  }).visit(parseSync(path, code).program)
  const line = (node: ESTree.Node) => code.slice(0, node.start).split('\n').length
  return { asked: [...asked].map(([node, text]) => ({ text, line: line(node) })), others }
}

const textOf = (node: ESTree.Node | null | undefined): Text | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '')
  return undefined
}

/** A regular expression that is words alone, at most with its ends held. */
const patternOf = (node: ESTree.Node | null | undefined): Text | undefined => {
  const pattern = node?.type === 'Literal' && 'regex' in node ? node.regex.pattern : undefined
  return pattern && /^\^?[\w ’“”,…:–—-]+\$?$/.test(pattern) ? [pattern.replace(/^\^|\$$/g, '')] : undefined
}

/** What an element says, its own and that of the elements in it. */
const childrenOf = (children: ESTree.JSXChild[]): Text => {
  const parts = ['']
  const say = (child: ESTree.JSXChild): void => {
    if (child.type === 'JSXText') parts.push((parts.pop() ?? '') + child.value)
    else if (child.type === 'JSXElement' || child.type === 'JSXFragment') child.children.forEach(say)
    else {
      const text = child.type === 'JSXExpressionContainer' ? textOf(child.expression as ESTree.Node) : undefined
      const [first = '', ...rest] = text ?? ['', '']
      parts.push((parts.pop() ?? '') + first, ...rest)
    }
  }
  children.forEach(say)
  return parts
}

/** Whether a text is among these, or is one of them filled in. Several in a row are each looked for. */
const lookUp = (texts: Text[]): ((text: Text) => boolean) => {
  const plainly = (part: string) => part.replace(/\s+/g, ' ').toLowerCase()
  const plain = texts.map((text) => text.map(plainly))
  const whole = plain.map((text) => text.join('\n')).join('\n')
  const filled = plain.filter(({ length }) => length > 1)
  const found = new Map<string, boolean>()
  const looked = (part: string): boolean => {
    const known = found.get(part) ?? (whole.includes(part) || filled.some((text) => isFilledIn(part, text)))
    found.set(part, known)
    return known
  }
  return (text) =>
    text
      .flatMap((part) => plainly(part).split(/: | · |\.(?: |$)|, /))
      .map((part) => part.replace(/^[\s“]+|[\s”]+$/g, ''))
      .every((part) => !/[a-z]{3}/.test(part) || looked(part))
}

/** Whether `part` is what stands from somewhere in one of the parts of `text` to somewhere in a later one. */
const isFilledIn = (part: string, text: Text): boolean =>
  text.some((from, at) =>
    text.slice(at + 1).some((to, after) => {
      const between = text.slice(at + 1, at + 1 + after)
      const start = overlap(from, part)
      const end = overlap(part.slice(start), to)
      const said = start + end + between.join('').length
      if (said < 3 || said < part.length / 6) return false
      let rest = part.slice(start, part.length - end)
      for (const word of between) {
        const place = rest.indexOf(word)
        if (place < 0) return false
        rest = rest.slice(place + word.length)
      }
      return true
    }),
  )

/** How many characters at the end of `text` are those that `part` begins with. */
const overlap = (text: string, part: string): number => {
  let at = Math.max(0, text.length - part.length)
  while (at < text.length && !part.startsWith(text.slice(at))) at++
  return text.length - at
}
