import { PDFArray, PDFDict, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { ObjectSpan } from '../files/object-span'
import { hasKnownFilters } from '../filters/filters'
import type { ObjectStore } from '../files/object-store'
import { contentsOf } from './contents-of'
import { referenceTo } from '../syntax/references'
import { Scanner } from '../syntax/scanner'
import { FactKind } from './facts'

/** The writer serializes `objects[slot]`. */
const CHANGED = 1
const STREAM = 2
/** The object is part of an object stream of its file. */
const COMPRESSED = 4
const MENTIONS_SEVERED = 8
const MENTIONS_STOP = 16
const MENTIONS_NOTHING = 32

/**
 * The objects that one walk reached. Each object has a slot in parallel arrays. A file has tens of thousands of
 * objects, and one JavaScript object for each of them would cost more than the rest of the work.
 */
export class Reached {
  count = 0
  numbers = new Int32Array(1024)
  generations = new Uint16Array(1024)
  flags = new Uint8Array(1024)
  /** Offsets of an unchanged object in its buffer: of `N G obj`, of its value, and of the byte after its end. */
  starts = new Float64Array(1024)
  bodies = new Float64Array(1024)
  ends = new Float64Array(1024)
  /** Offset of the first data byte of an unchanged stream. For other unchanged objects, the same as the end. */
  heads = new Float64Array(1024)
  /** The buffer of an unchanged object: its file, or an inflated object stream. */
  readonly buffers: (Uint8Array | undefined)[] = []
  readonly objects: (PDFObject | undefined)[] = []
  /**
   * Object numbers that the objects refer to, if the walk keeps them. `targetStarts` has the first index of each slot.
   */
  targets = new Int32Array(0)
  targetStarts = new Int32Array(1024)
  private targetCount = 0
  /** References in unchanged objects of added files: start offset, end offset and object number in the file. */
  references = new Float64Array(0)
  private referenceStarts = new Int32Array(0)
  private referenceCount = 0
  private readonly slots: Int32Array

  constructor(largestNumber: number) {
    this.slots = new Int32Array(largestNumber + 1)
  }

  /** The slot of an object number, or −1. */
  slotOf(number: number): number {
    return (this.slots[number] ?? 0) - 1
  }

  isChanged(slot: number): boolean {
    return ((this.flags[slot] as number) & CHANGED) !== 0
  }

  isStream(slot: number): boolean {
    return ((this.flags[slot] as number) & STREAM) !== 0
  }

  isCompressed(slot: number): boolean {
    return ((this.flags[slot] as number) & COMPRESSED) !== 0
  }

  /** Whether the object refers to a severed object. */
  mentionsSevered(slot: number): boolean {
    return ((this.flags[slot] as number) & MENTIONS_SEVERED) !== 0
  }

  /**
   * Whether a reference in the unchanged object must be written as null, because its target was severed or its file has
   * no object of this number.
   */
  mentionsNull(slot: number): boolean {
    return ((this.flags[slot] as number) & (MENTIONS_SEVERED | MENTIONS_NOTHING)) !== 0
  }

  /** Whether the object refers to one of the `stops` of the walk. */
  mentionsStop(slot: number): boolean {
    return ((this.flags[slot] as number) & MENTIONS_STOP) !== 0
  }

  refOf(slot: number): PDFRef {
    return referenceTo(this.numbers[slot] as number, this.generations[slot] as number)
  }

  /** Slots in order of object number. */
  *inOrder(): Generator<number> {
    for (let number = 0; number < this.slots.length; number++) {
      const slot = (this.slots[number] as number) - 1
      if (slot >= 0) yield slot
    }
  }

  add(number: number, generation: number, flags: number): number {
    if (this.count === this.numbers.length) this.grow()
    const slot = this.count++
    this.slots[number] = slot + 1
    this.numbers[slot] = number
    this.generations[slot] = generation
    this.flags[slot] = flags
    this.targetStarts[slot] = this.targetCount
    return slot
  }

  /** Adds a target of the last added object. */
  addTarget(number: number): void {
    if (this.targetCount === this.targets.length) {
      const larger = new Int32Array(Math.max(4096, this.targetCount * 2))
      larger.set(this.targets)
      this.targets = larger
    }
    this.targets[this.targetCount++] = number
  }

  /** Keeps the references that the scanner found in the last added object. */
  keepReferences(slot: number, { references, referenceCount }: Scanner): void {
    const values = referenceCount * 3
    if (this.referenceCount + values > this.references.length) {
      const larger = new Float64Array(Math.max(4096, this.referenceCount + values, this.references.length * 2))
      larger.set(this.references)
      this.references = larger
    }
    if (slot >= this.referenceStarts.length / 2) {
      const larger = new Int32Array(this.numbers.length * 2)
      larger.set(this.referenceStarts)
      this.referenceStarts = larger
    }
    for (let index = 0; index < values; index++)
      this.references[this.referenceCount + index] = references[index] as number
    this.referenceStarts[slot * 2] = this.referenceCount
    this.referenceCount += values
    this.referenceStarts[slot * 2 + 1] = this.referenceCount
  }

  /** The range of `references` that belongs to an object whose references were kept. */
  referencesOf(slot: number): [from: number, end: number] {
    return [this.referenceStarts[slot * 2] ?? 0, this.referenceStarts[slot * 2 + 1] ?? 0]
  }

  /** The index after the last target of a slot. */
  targetEnd(slot: number): number {
    return slot + 1 < this.count ? (this.targetStarts[slot + 1] as number) : this.targetCount
  }

  private grow(): void {
    const larger = <T extends Int32Array | Uint16Array | Uint8Array | Float64Array>(array: T): T => {
      const copy = new (array.constructor as new (length: number) => T)(array.length * 2)
      copy.set(array)
      return copy
    }
    this.numbers = larger(this.numbers)
    this.generations = larger(this.generations)
    this.flags = larger(this.flags)
    this.starts = larger(this.starts)
    this.bodies = larger(this.bodies)
    this.ends = larger(this.ends)
    this.heads = larger(this.heads)
    this.targetStarts = larger(this.targetStarts)
  }
}

/**
 * Finds all objects that can be reached from `roots`. The walk leaves out `stops` and severed objects and doesn't
 * follow their references. With `keepsTargets`, it records the targets of every object, including the left-out ones.
 * Later walks of the document then don't scan these objects again. Unchanged objects are only scanned. An object whose
 * bytes can't be copied as they are is parsed (warning `repaired`).
 */
export function findReachable(
  document: PdfDocument,
  roots: number[],
  stops?: ReadonlySet<number>,
  { keepsTargets = false } = {},
): Reached {
  const { store } = document
  const reached = new Reached(Math.max(document.context.largestObjectNumber, store.largestSourceNumber))
  const seen = new Uint8Array(document.context.largestObjectNumber + 2)
  const walk: Walk = {
    document,
    store,
    reached,
    scanner: new Scanner(),
    extent: new ObjectSpan(),
    stack: [...roots],
    stops,
    keepsTargets,
    // After a repair, objects may be elsewhere.
    scanned: store.sources.some(source => source.isRebuilt) ? undefined : document.facts.get(REACHED),
  }
  while (walk.stack.length) {
    const number = walk.stack.pop() as number
    if (number >= seen.length || seen[number] === 1) continue
    seen[number] = 1
    if (store.isSevered(number) || stops?.has(number)) continue
    const changed = store.changedEntry(number)
    if (changed) addObject(walk, number, changed.ref.generationNumber, changed.object)
    else addCopy(walk, number)
  }
  if (keepsTargets) document.facts.set(REACHED, reached)
  return reached
}

/** The latest walk that kept its targets. */
export const REACHED = new FactKind<Reached>('reached')

interface Walk {
  document: PdfDocument
  store: ObjectStore
  reached: Reached
  scanner: Scanner
  extent: ObjectSpan
  stack: number[]
  stops: ReadonlySet<number> | undefined
  keepsTargets: boolean
  /** An earlier walk through the same files. Its unchanged objects aren't scanned again. */
  scanned: Reached | undefined
  /** Content streams of all pages. Computed on first use. */
  contents?: Set<PDFObject>
}

function addObject(
  { store, reached, stack, stops, keepsTargets }: Walk,
  number: number,
  generation: number,
  object: PDFObject,
): void {
  const from = stack.length
  collectReferences(object, stack)
  let flags = CHANGED | (object instanceof PDFStream ? STREAM : 0)
  for (let index = from; index < stack.length; index++) {
    if (store.isSevered(stack[index] as number)) flags |= MENTIONS_SEVERED
    if (stops?.has(stack[index] as number)) flags |= MENTIONS_STOP
  }
  reached.objects[reached.add(number, generation, flags)] = object
  if (keepsTargets) for (let index = from; index < stack.length; index++) reached.addTarget(stack[index] as number)
}

/** Pushes the numbers of all references inside an object. */
function collectReferences(object: PDFObject, stack: number[]): void {
  const values: PDFObject[] = [object]
  while (values.length) {
    const value = values.pop()
    if (value instanceof PDFRef) stack.push(value.objectNumber)
    else if (value instanceof PDFArray) for (let index = 0; index < value.size(); index++) values.push(value.get(index))
    else if (value instanceof PDFDict) for (const item of value.values()) values.push(item)
    else if (value instanceof PDFStream) values.push(value.dict)
  }
}

function addCopy(walk: Walk, number: number): void {
  const { document, store, reached, scanner, extent, stack, stops, scanned } = walk
  const known = scanned ? scanned.slotOf(number) : -1
  if (scanned && known >= 0 && !scanned.isChanged(known) && store.shiftOf(number) === 0) {
    addScanned(walk, scanned, known)
    return
  }
  const origin = store.origin(number)
  if (!origin?.source.table.has(origin.number)) return
  const { source, shift } = origin
  let flags = 0
  if (
    !source.isCompressed(origin.number) &&
    !source.measure(origin.number, scanner, extent) &&
    !source.isCompressed(origin.number)
  )
    return
  if (source.isCompressed(origin.number)) {
    if (!source.measureCompressed(origin.number, scanner, extent)) return
    flags |= COMPRESSED
  }
  const generation = shift === 0 ? extent.generation : 0
  if (!extent.isExact) {
    const object = source.parse(origin.number, document.context, shift)
    if (object)
      addObject(
        walk,
        number,
        generation,
        isUnknownContent(walk, referenceTo(number, generation), object)
          ? PDFRawStream.of(document.context.obj({}), new Uint8Array())
          : object,
      )
    document.warnings.add('repaired')
    return
  }
  if (extent.isStream) flags |= STREAM
  const { references } = scanner
  for (let index = 0; index < scanner.referenceCount; index++) {
    const sourceNumber = references[index * 3 + 2] as number
    const target = sourceNumber + shift
    if (sourceNumber >= source.table.size) flags |= MENTIONS_NOTHING
    else if (store.isSevered(target)) flags |= MENTIONS_SEVERED
    else if (stops?.has(target)) flags |= MENTIONS_STOP
    else stack.push(target)
  }
  const slot = reached.add(number, generation, flags)
  reached.buffers[slot] = extent.buffer
  reached.starts[slot] = extent.start
  reached.bodies[slot] = extent.body
  reached.ends[slot] = extent.end
  reached.heads[slot] = extent.isStream ? scanner.streamStart : extent.end
  if (shift !== 0) reached.keepReferences(slot, scanner)
  if (!walk.keepsTargets) return
  for (let index = 0; index < scanner.referenceCount; index++) {
    const sourceNumber = references[index * 3 + 2] as number
    if (sourceNumber < source.table.size) reached.addTarget(sourceNumber + shift)
  }
}

/** Adds an object from an earlier walk. Only the state of its targets may have changed. */
function addScanned({ store, reached, stack, stops, keepsTargets }: Walk, scanned: Reached, known: number): void {
  let flags = (scanned.flags[known] as number) & (STREAM | COMPRESSED | MENTIONS_NOTHING)
  const from = scanned.targetStarts[known] as number
  const end = scanned.targetEnd(known)
  for (let index = from; index < end; index++) {
    const target = scanned.targets[index] as number
    if (store.isSevered(target)) flags |= MENTIONS_SEVERED
    else if (stops?.has(target)) flags |= MENTIONS_STOP
    else stack.push(target)
  }
  const slot = reached.add(scanned.numbers[known] as number, scanned.generations[known] as number, flags)
  reached.buffers[slot] = scanned.buffers[known]
  reached.starts[slot] = scanned.starts[known] as number
  reached.bodies[slot] = scanned.bodies[known] as number
  reached.ends[slot] = scanned.ends[known] as number
  reached.heads[slot] = scanned.heads[known] as number
  if (keepsTargets) for (let index = from; index < end; index++) reached.addTarget(scanned.targets[index] as number)
}

/**
 * Returns whether a damaged object turns out to be page content with an unknown filter after lenient parsing. Other
 * readers recover less of such an object, and refuse the page if it keeps the filter.
 */
function isUnknownContent(walk: Walk, ref: PDFRef, object: PDFObject): boolean {
  const { document } = walk
  if (!(object instanceof PDFRawStream) || hasKnownFilters(object.dict, item => document.peek(item))) return false
  walk.contents ??= new Set(document.pages.flatMap(page => contentsOf(document, page)))
  return walk.contents.has(ref)
}
