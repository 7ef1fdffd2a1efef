/**
 * Kinds of frames between the pool and an engine process. A frame has a head of 16 bytes (mark and kind, length of the
 * text, number of raw bytes), a JSON text, and the raw bytes of the files in order.
 */
export const FRAME_KINDS = ['job', 'ready', 'opened', 'result', 'error', 'idle'] as const

export type FrameKind = (typeof FRAME_KINDS)[number]

/** Size of a frame's head. */
export const HEAD_BYTES = 16

/** Content of a frame's head. */
export interface FrameHead {
  kind: FrameKind
  /** Length of the JSON text in bytes. 0 if the frame has no text. */
  textBytes: number
  rawBytes: number
}

/** A complete frame. `chunks` are views of the chunks in which the raw bytes arrived. */
export interface Frame {
  kind: FrameKind
  message: unknown
  chunks: Uint8Array[]
  rawBytes: number
}

/** The received bytes aren't a frame. The other side is broken, and the following bytes can't be interpreted. */
export class FrameError extends Error {
  override readonly name = 'WireError'
}

/** Encodes the head and the text of a frame. `rawBytes` bytes must follow. */
export function encodeFrame(kind: FrameKind, message?: unknown, rawBytes = 0): Buffer {
  const text = message === undefined ? '' : JSON.stringify(message)
  const textBytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEAD_BYTES + textBytes)
  frame.writeUInt32LE(MARK + FRAME_KINDS.indexOf(kind), 0)
  frame.writeUInt32LE(textBytes, 4)
  frame.writeDoubleLE(rawBytes, 8)
  frame.write(text, HEAD_BYTES)
  return frame
}

/** Reads the head at the start of `bytes`, which must contain at least HEAD_BYTES. Throws FrameError. */
export function decodeHead(bytes: Buffer): FrameHead {
  const kind = FRAME_KINDS[bytes.readUInt32LE(0) - MARK]
  const rawBytes = bytes.readDoubleLE(8)
  if (kind === undefined || !Number.isSafeInteger(rawBytes) || rawBytes < 0)
    throw new FrameError('no frame begins here')
  return { kind, textBytes: bytes.readUInt32LE(4), rawBytes }
}

/** Reads the JSON text of a frame. Returns undefined for an empty text. Throws FrameError. */
export function decodeText(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new FrameError('the text of a frame is not JSON', { cause })
  }
}

interface FrameLimits {
  maxTextBytes: number
  maxRawBytes: number
}

/**
 * Assembles frames from chunks of any size. Raw bytes are never copied: the chunks of a frame share memory with the
 * chunks that were pushed.
 */
export class FrameReader {
  readonly #limits: FrameLimits
  readonly #onFrame: (frame: Frame) => void
  #front: Buffer = EMPTY // The part of the head and text that has arrived so far.
  #head: FrameHead | undefined
  #message: unknown
  #chunks: Uint8Array[] = []
  #missingRawBytes = 0

  constructor(limits: FrameLimits, onFrame: (frame: Frame) => void) {
    this.#limits = limits
    this.#onFrame = onFrame
  }

  /** Adds the next chunk and calls `onFrame` for each completed frame. Throws FrameError. */
  push(bytes: Uint8Array): void {
    let remaining = bytes
    while (remaining.length > 0)
      remaining = this.#head === undefined ? this.#readFront(remaining) : this.#readRaw(remaining, this.#head)
  }

  #readFront(piece: Uint8Array): Uint8Array {
    const bytes = this.#front.length === 0 ? viewOf(piece) : Buffer.concat([this.#front, piece])
    if (bytes.length < HEAD_BYTES) return this.#wait(bytes)
    const head = decodeHead(bytes)
    const { maxTextBytes, maxRawBytes } = this.#limits
    if (head.textBytes > maxTextBytes || head.rawBytes > maxRawBytes)
      throw new FrameError('a frame is larger than allowed')
    const end = HEAD_BYTES + head.textBytes
    if (bytes.length < end) return this.#wait(bytes)
    this.#front = EMPTY
    this.#message = decodeText(bytes.subarray(HEAD_BYTES, end))
    this.#head = head
    this.#missingRawBytes = head.rawBytes
    if (head.rawBytes === 0) this.#finish(head)
    return bytes.subarray(end)
  }

  #wait(bytes: Buffer): Uint8Array {
    this.#front = bytes
    return EMPTY
  }

  #readRaw(piece: Uint8Array, head: FrameHead): Uint8Array {
    const chunk = piece.subarray(0, this.#missingRawBytes)
    this.#chunks.push(chunk)
    this.#missingRawBytes -= chunk.length
    if (this.#missingRawBytes === 0) this.#finish(head)
    return piece.subarray(chunk.length)
  }

  #finish(head: FrameHead): void {
    const frame = { kind: head.kind, message: this.#message, chunks: this.#chunks, rawBytes: head.rawBytes }
    this.#head = undefined
    this.#message = undefined
    this.#chunks = []
    this.#onFrame(frame)
  }
}

const MARK = 0x53_48_46_00 // 'SHF', so that unexpected output is detected at once.
const EMPTY = Buffer.alloc(0)

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
