/** The bytes of one object in a buffer. One instance is reused for many objects. */
export class ObjectSpan {
  buffer: Uint8Array = new Uint8Array()
  /** Offset of `N G obj`. For a compressed object, offset of its first byte. */
  start = 0
  /** Offset after `obj`. */
  body = 0
  /** Offset after `endobj`. For a compressed object, offset after its last byte. */
  end = 0
  generation = 0
  /**
   * Whether the bytes can be copied unchanged: the object is closed, has the generation of the table and one value, and
   * no integer exceeds 64 bits. In a stream, /Length is correct.
   */
  isExact = true
  isStream = false
}
