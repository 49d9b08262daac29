import { parse } from 'node:querystring'
import type { FastifyInstance } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'

/**
 * Reads JSON bodies. The text is looked through once before it is parsed: a body that nests too deep, or holds control
 * characters, is refused without building anything of it. An empty body is no body: a PUT without one is a habit of many
 * clients.
 */
export const readJson = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    const text = withPlainBreaks(body as string)
    const shape = shapeOf(text)
    if (shape.depth > mostNesting)
      return done(
        refusal('request.invalid', `The body may nest lists and objects ${mostNesting} deep. Send a flatter one.`),
      )
    if (shape.fields > mostFields)
      return done(refusal('request.invalid', 'The body has too many fields. Send those of this call alone.'))
    if (controls.test(text))
      return done(refusal('request.invalid', 'The body holds control characters, which nobody sees. Take them out.'))
    if (holdsHalf(text))
      return done(refusal('request.invalid', 'The body holds half of a character. Write it again, or take it out.'))
    return parseJson(request, text, done)
  })
}

/** Reads a form's body: its first hundred fields, for none of ours has more. */
export const readForm = (text: string): Record<string, unknown> => parse(text, '&', '=', { maxKeys: 100 })

/** How many lists and objects may stand within each other in a JSON body. What reads a body may recurse so far. */
const mostNesting = 64

/**
 * How many fields an object of a JSON body may have that stands at most `ofCalls` deep: what a call declares is there, and
 * of ninety thousand others each would be looked at. Deeper are records of a recipe, by word.
 */
const mostFields = 1000
const ofCalls = 3

/**
 * How deep the lists and objects of a JSON text nest, and the most fields of an object in the first levels; strings count
 * for nothing. Of a text that is no JSON any numbers.
 */
export const shapeOf = (text: string): { depth: number; fields: number } => {
  let [deepest, depth, fields] = [0, 0, 0]
  const own = Array<number>(ofCalls + 1).fill(0)
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at)
    else if (char === bracket || char === brace) {
      deepest = Math.max(deepest, ++depth)
      if (depth <= ofCalls) own[depth] = 0
    } else if (char === bracket + 2 || char === brace + 2) depth--
    else if (char === colon && depth > 0 && depth <= ofCalls) fields = Math.max(fields, ++own[depth]!)
  }
  return { depth: deepest, fields }
}

const [quote, backslash, bracket, brace, colon] = [0x22, 0x5c, 0x5b, 0x7b, 0x3a]

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/**
 * An escaped control character, other than tab, line feed and carriage return. In an answer each is six bytes, however it
 * came. The backslash before it is not escaped itself.
 */
const controls = /(?<!\\)(?:\\\\)*\\(?:b|u00(?:0[0-8ef]|1[0-9a-f]))/i

/**
 * Whether a string of a JSON text holds one of the two codes that make a character past the first 65,536 without the other:
 * nothing could keep that. Written out anew, only such halves are escaped. A text that is no JSON holds none.
 */
const holdsHalf = (text: string): boolean => {
  if (!half.test(text)) return false
  try {
    return half.test(JSON.stringify(JSON.parse(text)))
  } catch {
    return false
  }
}
const half = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i

/** Breaks as some word processors write them (vertical tab, form feed) are line feeds. */
const withPlainBreaks = (text: string): string => text.replaceAll(/(?<!\\)((?:\\\\)*)\\(?:f|u000[bc])/gi, '$1\\n')
