import type { refusals } from '@clear-to-post/contract/errors'

/** An operation that is no call of the contract, as OpenAPI writes it; `refuses` are the contract's codes. */
export type OtherOperation = {
  /** `room.name`, as calls have it. */
  name: string
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** With `{parameters}`. */
  path: string
  /** The address as the router knows it, to be found again by the test. */
  route: string
  summary: string
  description: string
  who: string
  isSigned: boolean
  parameters: readonly Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  success: { status: number; description: string; headers?: Record<string, Header>; content?: object }
  /** Answers that are neither the success nor a refusal by a code. */
  more?: Record<string, { description: string }>
  refuses: readonly (keyof typeof refusals)[]
}
export type Parameter = {
  name: string
  in: 'path' | 'header' | 'query'
  required: boolean
  schema: object
  description: string
}
export type Header = { schema: object; description: string }

export const text = { type: 'string' } as const
export const id = { type: 'string', format: 'uuid' } as const
export const assetId: Parameter = {
  name: 'assetId',
  in: 'path',
  required: true,
  schema: id,
  description: 'The file’s id: the last part of the Location that the upload’s begin answered.',
}
