import { PDFArray, PDFDict, PDFNull, PDFRef, PDFStream } from 'pdf-lib'
import type { PDFContext, PDFObject } from 'pdf-lib'
import type { InputFile, ObjectBytes } from './input-file'

interface Slot {
  source: InputFile
  /** Added to an object number of the source to get the object number in the document. */
  shift: number
}

interface Loaded {
  ref: PDFRef
  object: PDFObject
}

/**
 * The indirect objects of a document. Reads objects from their files on first use, behind pdf-lib's Map interface.
 *
 * Every object returned by `get` counts as changed, because any holder of a pdf-lib object can change it. The writer
 * serializes these objects and copies all others as bytes. Code that only reads uses `peek`.
 */
export class ObjectStore extends Map<PDFRef, PDFObject> {
  private readonly loaded = new Map<number, Loaded>()
  private readonly changed = new Set<number>()
  /** One byte for each object number. A split severs and checks nearly all objects of a file for every part. */
  private severed = new Uint8Array(0)
  private readonly slots: Slot[] = []
  private largest = 0

  constructor(private readonly context: PDFContext) {
    super()
  }

  /** Adds a file. Returns the shift of its object numbers. */
  addSource(source: InputFile): number {
    const shift = this.slots.length ? this.context.largestObjectNumber : 0
    this.slots.push({ source, shift })
    this.largest = Math.max(this.largest, shift + source.table.size - 1)
    this.context.largestObjectNumber = Math.max(this.context.largestObjectNumber, this.largest)
    return shift
  }

  /** The file that an object number comes from, and the object's number in that file. */
  origin(number: number): { source: InputFile; shift: number; number: number } | undefined {
    const slot = this.slotOf(number)
    return slot && { source: slot.source, shift: slot.shift, number: number - slot.shift }
  }

  /** What was added to the number of this object in its file. 0 for an object that comes from no file. */
  shiftOf(number: number): number {
    return this.slotOf(number)?.shift ?? 0
  }

  private slotOf(number: number): Slot | undefined {
    for (let index = this.slots.length - 1; index >= 0; index--) {
      const slot = this.slots[index] as Slot
      if (number > slot.shift || slot.shift === 0)
        return number - slot.shift < slot.source.table.size ? slot : undefined
    }
    return undefined
  }

  /**
   * Returns whether the object counted as a page when its file was opened. The reference that made it a page may have
   * become null since.
   */
  isKnownPage(number: number): boolean {
    const origin = this.origin(number)
    return origin !== undefined && origin.source.knownPages.has(origin.number)
  }

  /** The recovered kids for this gap of a page tree node. */
  findLostKids(node: PDFRef, index: number): PDFRef[] | undefined {
    const origin = this.origin(node.objectNumber)
    const lost = origin?.source.lostKids.get(origin.number)?.get(index)
    return lost?.map(ref => (origin?.shift ? PDFRef.of(ref.objectNumber + origin.shift) : ref))
  }

  /** The largest object number in any of the files. */
  get largestSourceNumber(): number {
    return this.largest
  }

  /** Whether all objects come from one file and none of them has been changed, added or removed. */
  get isUntouched(): boolean {
    return this.slots.length === 1 && this.changed.size === 0 && !this.severed.includes(1)
  }

  get sources(): InputFile[] {
    return this.slots.map(slot => slot.source)
  }

  /**
   * In all loaded objects, makes references to numbers that the file doesn't have null. For documents with one file.
   */
  dropDangling(): void {
    const size = this.largest + 1
    const isDangling = (value: PDFObject): boolean =>
      value instanceof PDFRef && value.objectNumber >= size && !this.loaded.has(value.objectNumber)
    const values: PDFObject[] = [...this.loaded.values()].map(({ object }) => object)
    while (values.length) {
      const value = values.pop()
      if (value instanceof PDFStream) values.push(value.dict)
      else if (value instanceof PDFDict) {
        for (const [key, item] of value.entries()) if (isDangling(item)) value.delete(key)
        values.push(...value.values())
      } else if (value instanceof PDFArray) {
        for (let index = 0; index < value.size(); index++) if (isDangling(value.get(index))) value.set(index, PDFNull)
        values.push(...value.asArray())
      }
    }
  }

  /** The object, read-only: changes to it may be lost. Undefined if there is none or if it was removed. */
  peek(ref: PDFRef): PDFObject | undefined {
    const number = ref.objectNumber
    if (this.severed[number] === 1) return undefined
    const cached = this.loaded.get(number)
    if (cached) return cached.object
    const origin = this.origin(number)
    // References into an added file have no generation numbers.
    if (!origin?.source.has(origin.number, origin.shift ? undefined : ref.generationNumber)) return undefined
    const object = origin.source.parse(origin.number, this.context, origin.shift)
    if (object) this.loaded.set(number, { ref, object })
    return object
  }

  /** Returns whether an object is still as in its file, and was not loaded. */
  isUnread(number: number): boolean {
    return this.severed[number] !== 1 && !this.loaded.has(number)
  }

  /** The bytes of an object that has not been loaded yet. Undefined if it has been, or if there is none. */
  locate(ref: PDFRef): ObjectBytes | undefined {
    const number = ref.objectNumber
    if (!this.isUnread(number)) return undefined
    const origin = this.origin(number)
    if (!origin?.source.has(origin.number, origin.shift ? undefined : ref.generationNumber)) return undefined
    return origin.source.locate(origin.number, origin.shift)
  }

  /** The object, for changes. The writer serializes it anew. */
  override get(ref: PDFRef): PDFObject | undefined {
    const object = this.peek(ref)
    if (object) this.changed.add(ref.objectNumber)
    return object
  }

  override has(ref: PDFRef): boolean {
    return this.peek(ref) !== undefined
  }

  override set(ref: PDFRef, object: PDFObject): this {
    this.loaded.set(ref.objectNumber, { ref, object })
    this.changed.add(ref.objectNumber)
    if (this.severed[ref.objectNumber] === 1) this.severed[ref.objectNumber] = 0
    return this
  }

  /** Removes an object for good. Every reference to it is written as null. */
  override delete(ref: PDFRef): boolean {
    const existed = this.loaded.has(ref.objectNumber)
    this.sever([ref.objectNumber])
    return existed
  }

  /** Removes many objects by number. */
  sever(numbers: Iterable<number>): void {
    for (const number of numbers) {
      if (number >= this.severed.length) this.growSevered(number)
      this.severed[number] = 1
      this.changed.delete(number)
      this.loaded.delete(number)
    }
  }

  isSevered(number: number): boolean {
    return this.severed[number] === 1
  }

  private growSevered(number: number): void {
    const larger = new Uint8Array(Math.max(number, this.context.largestObjectNumber) + 64)
    larger.set(this.severed)
    this.severed = larger
  }

  /** Numbers of the objects that may have been changed. */
  get changedNumbers(): Iterable<number> {
    return this.changed
  }

  /** The loaded object with this number and its reference, if it may have been changed. */
  changedEntry(number: number): Loaded | undefined {
    return this.changed.has(number) ? this.loaded.get(number) : undefined
  }

  /** Yields loaded objects only. pdf-lib enumerates objects with this method. */
  override *entries(): MapIterator<[PDFRef, PDFObject]> {
    for (const { ref, object } of this.loaded.values()) yield [ref, object]
  }

  override [Symbol.iterator](): MapIterator<[PDFRef, PDFObject]> {
    return this.entries()
  }

  override get size(): number {
    return this.loaded.size
  }
}
