import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** Texts live in `messages.ts` and `words/`, where a second language finds them (decision 164). */
test('no component contains text for people outside of the words files', async () => {
  const root = import.meta.dirname
  const found: string[] = []
  for (const file of globSync(join(root, '**/*.tsx'), { exclude: [join(root, 'dev/**')] })) {
    const code = await readFile(file, 'utf8')
    for (const { at, text } of textsIn(parseSync(file, code).program))
      found.push(`${relative(root, file)}:${code.slice(0, at).split('\n').length} ${text.trim()}`)
  }
  expect(found).toEqual([])
})

test('texts in elements, attributes, expressions and toasts are all found', () => {
  const code = `<p title="Go on" aria-label={isOpen ? 'Close it' : words.open}>Hello {'you there'} {\`and \${n} more\`}</p>; toast.error('It broke')`
  const texts = textsIn(parseSync('a.tsx', code).program).map(({ text }) => text.trim())
  expect(texts.toSorted()).toEqual(['Close it', 'Go on', 'Hello', 'It broke', 'and  more', 'you there'])
})

type Node = { type: string; start: number; [key: string]: unknown }

/** The attributes whose text people see or hear. */
const said = /^(title|alt|label|placeholder|hint|description|error|heading|text|aria-(label|description|valuetext))$/

/** Names are the same in every language, and so are codes and addresses. */
const isText = (text: string): boolean =>
  /\p{L}{2}/u.test(text.replace('Clear to Post', '')) && !/^(https:|[\dA-Z-]+$|en em el es$)/.test(text.trim())

const textsIn = (node: unknown): { at: number; text: string }[] => {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (!isNode(node)) return []
  return [
    ...saidBy(node)
      .filter(isText)
      .map((text) => ({ at: node.start, text })),
    ...Object.values(node).flatMap(textsIn),
  ]
}

const saidBy = (node: Node): string[] => {
  if (node.type === 'JSXText') return [String(node['value'])]
  if (node.type === 'JSXAttribute')
    return said.test(String((node['name'] as Node)['name'])) ? stringsOf(node['value']) : []
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node['children'] as Node[]).filter(({ type }) => type === 'JSXExpressionContainer').flatMap(stringsOf)
  if (node.type === 'CallExpression' && isToast(node['callee'])) return stringsOf((node['arguments'] as unknown[])[0])
  return []
}

/** The texts that an expression can evaluate to, as far as its source shows. */
const stringsOf = (node: unknown): string[] => {
  if (!isNode(node)) return []
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'TemplateLiteral')
    return [(node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('')]
  if (node.type === 'JSXExpressionContainer') return stringsOf(node['expression'])
  if (node.type === 'ConditionalExpression') return [...stringsOf(node['consequent']), ...stringsOf(node['alternate'])]
  if (node.type === 'LogicalExpression') return [...stringsOf(node['left']), ...stringsOf(node['right'])]
  return []
}

const isToast = (callee: unknown): boolean =>
  isNode(callee) &&
  ((callee.type === 'Identifier' && callee['name'] === 'toast') ||
    (callee.type === 'MemberExpression' && isToast(callee['object'])))

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
