import { readFileSync } from 'node:fs'
import { parseSync, Visitor, type ESTree } from 'vite'

/** The titles of the tests and groups of tests in a file, in order; `…` stands for what a template fills in. */
export const titlesOf = (file: string): string[] => {
  const titles: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title, work] }) {
      if (work !== undefined && declaresTests(callee)) titles.push(...textOf(title))
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return titles
}

/** Whether this is `it`, `test`, `describe` or one of their forms, such as `it.each(rows)`; not `test.skip(condition, reason)`. */
const declaresTests = (callee: ESTree.Node): boolean => {
  if (callee.type === 'Identifier') return /^(it|test|describe)$/.test(callee.name)
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return declaresTests(callee.type === 'CallExpression' ? callee.callee : callee.tag)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  return callee.property.name !== 'skip' && declaresTests(callee.object)
}

const textOf = (node: ESTree.Node | undefined): string[] => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node?.type === 'TemplateLiteral') return [node.quasis.map(({ value }) => value.cooked).join('…')]
  return []
}
