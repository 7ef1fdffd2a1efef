import { distanceSlot, LEAST_LENGTH, MOST_DISTANCE, MOST_LENGTH } from './symbols'

/** Number of earlier positions that are compared with each position. */
const DEPTH = 100
/** The same for data on which comparing takes long. */
const SHORT_DEPTH = 4

/** Number of bytes that may be compared for each position, on average, and for all data. */
const WORK = 100
const FREE_WORK = 100_000

/** Maximum number of positions and of matches in a segment. Bounds the memory. */
const SEGMENT_BYTES = 2 ** 18
const SEGMENT_MATCHES = 2 ** 21

/** Maximum number of matches of a position: one of each length. */
const MOST_MATCHES = MOST_LENGTH - LEAST_LENGTH + 1

/** Number of bits of a match that hold its length. The distance minus 1 follows, then its symbol. */
export const LENGTH_BITS = 9
/** Mask of the length of a match. */
export const LENGTH_MASK = 0x1ff
/** The lowest bit of the symbol of the distance. */
export const SLOT_SHIFT = 24
/** Mask of the distance minus 1, after a shift by `LENGTH_BITS`. */
export const DISTANCE_MASK = 0x7fff

const NONE = -1

/** Maximum number of bits of a hash. */
const MOST_HASH_BITS = 15
/** The trees have room for twice the greatest distance, so that a position and the farthest one differ. */
const WINDOW = MOST_DISTANCE * 2
const WINDOW_MASK = WINDOW - 1

/** Memory for matches and trees. Kept, because a document has many streams, and only one is deflated at a time. */
const MATCHES = new Uint32Array(SEGMENT_MATCHES + MOST_MATCHES)
const FIRSTS = new Uint32Array(SEGMENT_BYTES + 1)
const ROOTS = new Int32Array(2 ** MOST_HASH_BITS)
const LATEST = new Int32Array(2 ** MOST_HASH_BITS)
const CHILDREN = new Int32Array(WINDOW * 2)

/**
 * Finds the matches of each position: for each length, the nearest earlier bytes that are the same. Works through the
 * data in segments. The matches of a segment stay until the next segment. Use only one finder at a time.
 *
 * Earlier positions are in binary trees, one for each hash of four bytes, which are sorted by the bytes that follow. The
 * latest position is the root. So one descent finds the nearest position for each length.
 */
export class MatchFinder {
  /** The matches of the segment. At each position, lengths and distances increase. */
  readonly matches = MATCHES
  /** Where the matches of each position begin. Counts positions from the start of the segment. */
  readonly firsts = FIRSTS
  private readonly roots: Int32Array
  /** The latest position with each hash of three bytes. */
  private readonly latest: Int32Array
  private readonly hashShift: number
  private count = 0
  private work = 0

  constructor(private readonly data: Uint8Array) {
    const bits = Math.min(MOST_HASH_BITS, Math.max(6, Math.ceil(Math.log2(data.length + 1))))
    this.hashShift = 32 - bits
    this.roots = ROOTS.subarray(0, 2 ** bits).fill(NONE)
    this.latest = LATEST.subarray(0, 2 ** bits).fill(NONE)
  }

  /** Finds the matches of the positions from `start` on. Returns where the segment ends. */
  findFrom(start: number): number {
    const { data, matches, firsts } = this
    const most = Math.min(data.length, start + SEGMENT_BYTES)
    this.count = 0
    let position = start
    for (; position < most && this.count + MOST_MATCHES <= matches.length; position++) {
      firsts[position - start] = this.count
      this.visit(position, this.work > position * WORK + FREE_WORK ? SHORT_DEPTH : DEPTH)
    }
    firsts[position - start] = this.count
    return position
  }

  /** Adds a position to its tree, and its matches to the list. */
  private visit(position: number, depth: number): void {
    const { data } = this
    const most = Math.min(MOST_LENGTH, data.length - position)
    if (most < LEAST_LENGTH) return
    const farthest = Math.max(0, position - MOST_DISTANCE)
    const three =
      (data[position] as number) | ((data[position + 1] as number) << 8) | ((data[position + 2] as number) << 16)
    let longest = this.matchThree(position, three, farthest)
    if (most < 4) return
    const hash = Math.imul(three | ((data[position + 3] as number) << 24), 0x9e3779b1) >>> this.hashShift
    let node = this.roots[hash] as number
    this.roots[hash] = position
    let lower = (position & WINDOW_MASK) * 2
    let higher = lower + 1
    let [lowerLength, higherLength, length] = [0, 0, 0]
    let work = 0
    for (let left = depth; ; left--) {
      work++
      if (node < farthest || left === 0) {
        CHILDREN[lower] = NONE
        CHILDREN[higher] = NONE
        break
      }
      const from = length
      while (length < most && data[node + length] === data[position + length]) length++
      work += length - from
      const child = (node & WINDOW_MASK) * 2
      if (length > longest) {
        longest = length
        this.add(length, position - node)
      }
      if (length >= most) {
        // The bytes are the same as far as the trees compare, so this position replaces the node.
        CHILDREN[lower] = CHILDREN[child] as number
        CHILDREN[higher] = CHILDREN[child + 1] as number
        break
      }
      if ((data[node + length] as number) < (data[position + length] as number)) {
        CHILDREN[lower] = node
        lower = child + 1
        node = CHILDREN[lower] as number
        lowerLength = length
      } else {
        CHILDREN[higher] = node
        higher = child
        node = CHILDREN[higher] as number
        higherLength = length
      }
      length = lowerLength < higherLength ? lowerLength : higherLength
    }
    this.work += work
  }

  /** Adds the nearest match of three bytes, which the trees don't have. Returns the length found, or 2. */
  private matchThree(position: number, three: number, farthest: number): number {
    const { data } = this
    const hash = Math.imul(three, 0x9e3779b1) >>> this.hashShift
    const node = this.latest[hash] as number
    this.latest[hash] = position
    const isSame =
      node >= farthest &&
      data[node] === data[position] &&
      data[node + 1] === data[position + 1] &&
      data[node + 2] === data[position + 2]
    if (!isSame) return LEAST_LENGTH - 1
    this.add(LEAST_LENGTH, position - node)
    return LEAST_LENGTH
  }

  private add(length: number, distance: number): void {
    this.matches[this.count++] = length | ((distance - 1) << LENGTH_BITS) | (distanceSlot(distance) << SLOT_SHIFT)
  }
}
