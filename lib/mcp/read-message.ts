import { authorize } from '../accounts/key/authorize'
import { createJsonReader } from '../body/json-body'
import type { Caller, ReceivedRequest } from '../requests/request'
import { getConfig } from '../config'
import { RequestError, isRequestError } from '../errors'
import { getBodyMemory } from '../http/limits/process-limits'
import { createRequestRate } from '../http/limits/request-rate'
import { assertAnnouncedLength } from '../http/request/request-head'
import { singleton } from '../registry'

const MAX_MESSAGE_BYTES = 2 * 2 ** 20
/** Larger messages need a key, so that strangers can't fill the memory. */
const OPEN_BYTES = 64 * 1024
/** Messages without a valid key that a network may send in a minute. */
const OPEN_MESSAGES = 120

/**
 * Returns the owner of the key. A message without a valid key counts against its network. Throws RequestError if the
 * network has sent too many, or if a large message has no valid key.
 */
export async function findCaller({ headers, client, network }: ReceivedRequest): Promise<Caller | undefined> {
  const key = headers['x-api-key']
  const needsKey = !(Number(headers['content-length']) <= OPEN_BYTES) // A body without a length may be large.
  try {
    if (typeof key === 'string' || needsKey)
      return await authorize(typeof key === 'string' ? key : undefined, { client: () => client })
  } catch (error) {
    if (!isRequestError(error) || needsKey) throw error
  }
  const waitS = getOpenRate().take(network)
  if (waitS > 0)
    throw new RequestError(
      'rate_limited',
      `Rate limit reached: ${OPEN_MESSAGES} messages a minute without an API key. Retry after ${waitS} ` +
        `${waitS === 1 ? 'second' : 'seconds'}.`,
      { headers: { 'Retry-After': String(waitS) } },
    )
  return undefined
}

function getOpenRate() {
  return singleton('mcp-open-rate', () => createRequestRate({ count: OPEN_MESSAGES, periodMs: 60_000 }))
}

/** Reads the message within the limits of a JSON body. Throws RequestError. */
export async function readMessage(
  outer: ReceivedRequest,
  caller: Caller | undefined,
): Promise<Record<string, unknown>> {
  const { 'content-length': announced } = outer.headers
  assertAnnouncedLength(outer.headers, MAX_MESSAGE_BYTES)
  const share =
    caller && getBodyMemory().open(caller.accountId, announced === undefined ? undefined : Number(announced))
  const reader = createJsonReader(
    {
      fileFields: [],
      jsonFields: [],
      textFields: [],
      listFields: [],
      maxStructureBytes: MAX_MESSAGE_BYTES,
      maxFieldBytes: 0,
    },
    { maxFiles: getConfig().MAX_FILES, maxParts: 0, findUrlProblem: () => undefined },
    (message, param) =>
      new RequestError(
        'invalid_payload',
        `${param === undefined ? '' : `${param} `}${message} Send one JSON-RPC message.`,
      ),
  )
  try {
    const { body } = await outer.receive(reader, { maxBytes: MAX_MESSAGE_BYTES, share })
    return body.fields
  } finally {
    share?.close()
  }
}
