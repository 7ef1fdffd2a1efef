/** The caller hung up, or stopped sending and was hung up on: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Whether a value is a ClientGone. */
export function isClientGone(value: unknown): boolean {
  return value instanceof Error && value.name === 'ClientGone'
}
