/** What the rules ask of a CMS object (RFC 5652). */
export interface SignedData {
  certificates: number
  signers: number
}

/** Maximum nesting of values with an indefinite length. */
const MAX_DEPTH = 32

const SEQUENCE = 0x30
const SET = 0x31
const OBJECT_ID = 0x06
const FIRST_TAGGED = 0xa0
/** 1.2.840.113549.1.7.2, in hexadecimal. */
const SIGNED_DATA = '2a864886f70d010702'

/** A value in DER or BER: its tag, and the range of its content. */
interface Value {
  tag: number
  start: number
  end: number
  /** Offset after the value. */
  next: number
}

/**
 * Counts the certificates and signers of signed data in DER or BER. Padding after it is ignored. Undefined if the bytes
 * aren't signed data.
 */
export function readSignedData(bytes: Uint8Array): SignedData | undefined {
  const info = valueAt(bytes, 0, bytes.length)
  const [type, tagged] = info?.tag === SEQUENCE ? valuesIn(bytes, info) : []
  if (type?.tag !== OBJECT_ID || hexOf(bytes, type) !== SIGNED_DATA || tagged?.tag !== FIRST_TAGGED) return undefined
  const [data] = valuesIn(bytes, tagged)
  if (data?.tag !== SEQUENCE) return undefined
  // Version, digest algorithms and content come first. Certificates and revocation lists are optional.
  const parts = valuesIn(bytes, data).slice(3)
  const certificates = parts.find(part => part.tag === FIRST_TAGGED)
  const signers = parts.find(part => part.tag === SET)
  return {
    certificates: certificates ? valuesIn(bytes, certificates).filter(item => item.tag === SEQUENCE).length : 0,
    signers: signers ? valuesIn(bytes, signers).length : 0,
  }
}

function valuesIn(bytes: Uint8Array, parent: Value): Value[] {
  const values: Value[] = []
  for (let at = parent.start; at < parent.end;) {
    const value = valueAt(bytes, at, parent.end)
    if (!value) break
    values.push(value)
    at = value.next
  }
  return values
}

function valueAt(bytes: Uint8Array, at: number, limit: number, depth = 0): Value | undefined {
  const tag = bytes[at]
  const first = bytes[at + 1]
  // Tags of several bytes don't occur in CMS.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined
  if (first === 0x80) return indefiniteValue(bytes, at, limit, depth)
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 4) return undefined
  let length = first
  if (lengthBytes > 0) length = bytes.subarray(at + 2, at + 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = at + 2 + lengthBytes
  const end = start + length
  return end <= limit ? { tag, start, end, next: end } : undefined
}

/** Two zero bytes end a value of indefinite length. */
function indefiniteValue(bytes: Uint8Array, at: number, limit: number, depth: number): Value | undefined {
  if (depth > MAX_DEPTH) return undefined
  let end = at + 2
  while (end + 1 < limit && (bytes[end] !== 0 || bytes[end + 1] !== 0)) {
    const child = valueAt(bytes, end, limit, depth + 1)
    if (!child) return undefined
    end = child.next
  }
  return end + 1 < limit ? { tag: bytes[at] ?? 0, start: at + 2, end, next: end + 2 } : undefined
}

function hexOf(bytes: Uint8Array, { start, end }: Value): string {
  return Buffer.from(bytes.subarray(start, Math.min(end, start + 20))).toString('hex')
}
