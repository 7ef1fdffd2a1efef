/**
 * The frames that the pool and an engine process exchange: a head of 16 bytes (mark and kind, length of the text,
 * number of raw bytes), a JSON text, and the raw bytes of the files one after another.
 */
export const FRAME_KINDS = ['job', 'ready', 'opened', 'result', 'error', 'idle'] as const

export type FrameKind = (typeof FRAME_KINDS)[number]

/** Bytes of a frame's head. */
export const HEAD_BYTES = 16

/** What a head says about the frame that it begins. */
export interface FrameHead {
  kind: FrameKind
  /** Bytes of the JSON text; 0 when the frame has none. */
  textBytes: number
  rawBytes: number
}

/** A frame that has arrived completely; `chunks` are views on the pieces in which its raw bytes came. */
export interface Frame {
  kind: FrameKind
  message: unknown
  chunks: Uint8Array[]
  rawBytes: number
}

/** What was read is no frame: the other side is broken, and nothing after it can be understood. */
export class FrameError extends Error {
  override readonly name = 'WireError'
}

/** The head and the text of a frame in one piece; `rawBytes` bytes have to follow. */
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

/** Reads the head at the start of `bytes`, which holds at least HEAD_BYTES. Throws WireError. */
export function decodeHead(bytes: Buffer): FrameHead {
  const kind = FRAME_KINDS[bytes.readUInt32LE(0) - MARK]
  const rawBytes = bytes.readDoubleLE(8)
  if (kind === undefined || !Number.isSafeInteger(rawBytes) || rawBytes < 0)
    throw new FrameError('no frame begins here')
  return { kind, textBytes: bytes.readUInt32LE(4), rawBytes }
}

/** Reads a frame's JSON text; empty text is undefined. Throws WireError. */
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
 * Puts frames together from pieces that are cut anywhere. Raw bytes are never copied: a frame's chunks share memory
 * with the pieces that were pushed.
 */
export class FrameReader {
  readonly #limits: FrameLimits
  readonly #onFrame: (frame: Frame) => void
  #front: Buffer = EMPTY // the part of a head and text that has come so far
  #head: FrameHead | undefined
  #message: unknown
  #chunks: Uint8Array[] = []
  #missingRawBytes = 0

  constructor(limits: FrameLimits, onFrame: (frame: Frame) => void) {
    this.#limits = limits
    this.#onFrame = onFrame
  }

  /** Takes the next piece and calls back for each frame that it completes. Throws WireError. */
  push(piece: Uint8Array): void {
    let rest = piece
    while (rest.length > 0) rest = this.#head === undefined ? this.#readFront(rest) : this.#readRaw(rest, this.#head)
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
    const chunk = piece.length <= this.#missingRawBytes ? piece : piece.subarray(0, this.#missingRawBytes)
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

const MARK = 0x53_48_46_00 // 'SHF', so that stray output is recognized at once
const EMPTY = Buffer.alloc(0)

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
