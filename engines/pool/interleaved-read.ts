import type { Socket } from 'node:net'

/** The system hands over up to 2 MB before anything else has its turn, if it may; a small answer fits into this. */
const TURN_BYTES = 128 * 1024

/** Reads a stream to its end; after so many bytes whatever else the process has to do comes first. */
export function readInterleaved(stream: Socket, onPiece: (piece: Buffer) => void): void {
  let bytesInTurn = 0
  stream.on('data', (piece: Buffer) => {
    onPiece(piece)
    bytesInTurn += piece.length
    if (bytesInTurn < TURN_BYTES) return
    bytesInTurn = 0
    stream.pause()
    setImmediate(() => stream.resume())
  })
}
