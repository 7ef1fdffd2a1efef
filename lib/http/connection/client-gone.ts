/** Thrown if the client closed the connection, or if we closed it because the client stopped sending. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Whether a value is a ClientGone. */
export function isClientGone(value: unknown): boolean {
  return value instanceof Error && value.name === 'ClientGone'
}
