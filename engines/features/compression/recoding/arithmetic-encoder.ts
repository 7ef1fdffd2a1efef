/**
 * The probability estimates of the arithmetic coder (ITU-T T.88, table E.1): the size of the less probable interval,
 * the next state after a more probable and after a less probable symbol, and whether the latter exchanges both.
 */
const STATES: readonly (readonly [qe: number, nextMore: number, nextLess: number, exchanges: number])[] = [
  [0x5601, 1, 1, 1],
  [0x3401, 2, 6, 0],
  [0x1801, 3, 9, 0],
  [0x0ac1, 4, 12, 0],
  [0x0521, 5, 29, 0],
  [0x0221, 38, 33, 0],
  [0x5601, 7, 6, 1],
  [0x5401, 8, 14, 0],
  [0x4801, 9, 14, 0],
  [0x3801, 10, 14, 0],
  [0x3001, 11, 17, 0],
  [0x2401, 12, 18, 0],
  [0x1c01, 13, 20, 0],
  [0x1601, 29, 21, 0],
  [0x5601, 15, 14, 1],
  [0x5401, 16, 14, 0],
  [0x5101, 17, 15, 0],
  [0x4801, 18, 16, 0],
  [0x3801, 19, 17, 0],
  [0x3401, 20, 18, 0],
  [0x3001, 21, 19, 0],
  [0x2801, 22, 19, 0],
  [0x2401, 23, 20, 0],
  [0x2201, 24, 21, 0],
  [0x1c01, 25, 22, 0],
  [0x1801, 26, 23, 0],
  [0x1601, 27, 24, 0],
  [0x1401, 28, 25, 0],
  [0x1201, 29, 26, 0],
  [0x1101, 30, 27, 0],
  [0x0ac1, 31, 28, 0],
  [0x09c1, 32, 29, 0],
  [0x08a1, 33, 30, 0],
  [0x0521, 34, 31, 0],
  [0x0441, 35, 32, 0],
  [0x02a1, 36, 33, 0],
  [0x0221, 37, 34, 0],
  [0x0141, 38, 35, 0],
  [0x0111, 39, 36, 0],
  [0x0085, 40, 37, 0],
  [0x0049, 41, 38, 0],
  [0x0025, 42, 39, 0],
  [0x0015, 43, 40, 0],
  [0x0009, 44, 41, 0],
  [0x0005, 45, 42, 0],
  [0x0001, 45, 43, 0],
  [0x5601, 46, 46, 0],
]

/** For each state and more probable symbol (state × 2 + symbol): the interval, and the next values. */
const QE = new Uint16Array(STATES.length * 2)
const NEXT_MORE = new Uint8Array(STATES.length * 2)
const NEXT_LESS = new Uint8Array(STATES.length * 2)
for (const [state, [qe, nextMore, nextLess, exchanges]] of STATES.entries()) {
  for (const symbol of [0, 1]) {
    QE[state * 2 + symbol] = qe
    NEXT_MORE[state * 2 + symbol] = nextMore * 2 + symbol
    NEXT_LESS[state * 2 + symbol] = nextLess * 2 + (symbol ^ exchanges)
  }
}

/** The arithmetic encoder of JBIG2 (ITU-T T.88, annex E.2). */
export class ArithmeticEncoder {
  private readonly contexts: Uint8Array
  private bytes = new Uint8Array(4096)
  /** Index of the current byte. The byte at 0 comes before the data. */
  private at = 0
  private interval = 0x8000
  private code = 0
  private shifts = 12

  constructor(contextCount: number) {
    this.contexts = new Uint8Array(contextCount)
  }

  encode(context: number, symbol: number): void {
    const state = this.contexts[context] as number
    const qe = QE[state] as number
    this.interval -= qe
    if ((state & 1) === symbol) {
      if ((this.interval & 0x8000) !== 0) {
        this.code += qe
        return
      }
      if (this.interval < qe) this.interval = qe
      else this.code += qe
      this.contexts[context] = NEXT_MORE[state] as number
    } else {
      if (this.interval < qe) this.code += qe
      else this.interval = qe
      this.contexts[context] = NEXT_LESS[state] as number
    }
    do {
      this.interval <<= 1
      this.code <<= 1
      if (--this.shifts === 0) this.writeByte()
    } while ((this.interval & 0x8000) === 0)
  }

  /** Returns the data with its end marker. */
  finish(): Uint8Array {
    const most = this.code + this.interval
    this.code |= 0xffff
    if (this.code >= most) this.code -= 0x8000
    this.code <<= this.shifts
    this.writeByte()
    this.code <<= this.shifts
    this.writeByte()
    if (this.bytes[this.at] !== 0xff) this.push(0xff)
    this.push(0xac)
    return this.bytes.slice(1, this.at + 1)
  }

  /** Procedure BYTEOUT: after a byte 255, the next one has only seven bits, so that a carry fits. */
  private writeByte(): void {
    if (this.bytes[this.at] !== 0xff && this.code >= 0x8000000) {
      this.bytes[this.at] = (this.bytes[this.at] as number) + 1
      this.code &= 0x7ffffff
    }
    if (this.bytes[this.at] === 0xff) {
      this.push(this.code >>> 20)
      this.code &= 0xfffff
      this.shifts = 7
    } else {
      this.push(this.code >>> 19)
      this.code &= 0x7ffff
      this.shifts = 8
    }
  }

  private push(byte: number): void {
    if (++this.at === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.at] = byte
  }
}
