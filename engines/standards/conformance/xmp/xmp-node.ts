import { NAMESPACES } from './namespaces'

/** The form of a value. */
export type XmpKind = 'simple' | 'struct' | 'bag' | 'seq' | 'alt'

/** Thrown if RDF isn't what the XMP specification allows. The message says why, in a few words. */
export class RdfError extends Error {}

/** A property, a field of a structure or an item of an array in XMP's data model. */
export class XmpNode {
  kind: XmpKind = 'simple'
  /** The text of a simple value. Empty for others. */
  value = ''
  /** The value of `xml:lang`, in lower case. */
  language: string | undefined
  /** Whether a field of the structure is `rdf:value`. The other fields are then qualifiers. */
  hasValueField = false
  private fields: XmpNode[] = []
  private names: Set<string> | undefined

  /** `prefix` is the prefix as written. Undefined if the name has none. */
  constructor(
    readonly namespace: string,
    readonly name: string,
    readonly prefix: string | undefined,
  ) {}

  /** Fields of a structure, or items of an array. */
  get children(): readonly XmpNode[] {
    return this.fields
  }

  get isSimple(): boolean {
    return this.kind === 'simple'
  }

  get isArray(): boolean {
    return this.kind === 'bag' || this.kind === 'seq' || this.kind === 'alt'
  }

  /** Whether the items of the array have an order. Alternatives have one, too. */
  get isOrdered(): boolean {
    return this.kind === 'seq' || this.kind === 'alt'
  }

  /** Whether the value consists of alternatives by language. */
  get isLangAlt(): boolean {
    return this.kind === 'alt' && this.fields.some(item => item.language !== undefined)
  }

  /** The name as written, for users. */
  get label(): string {
    return this.prefix === undefined ? this.name : `${this.prefix}:${this.name}`
  }

  /** The child with this name. */
  child(namespace: string, name: string): XmpNode | undefined {
    return this.fields.find(field => field.namespace === namespace && field.name === name)
  }

  /** Adds a field or an item. Throws `RdfError` if there is a field with the same name. */
  add(child: XmpNode, isItem: boolean): void {
    const key = `{${child.namespace}}${child.name}`
    if (!isItem && this.names?.has(key)) throw new RdfError(`${child.label} twice`)
    if (!isItem) (this.names ??= new Set()).add(key)
    this.fields.push(child)
  }

  /** Takes over the value of its field `rdf:value`. The name stays, and so does the language that one of them has. */
  become(value: XmpNode): void {
    const field = this.child(NAMESPACES.xml, 'lang')
    const languages = [this.language, value.language, field?.value].filter(language => language !== undefined)
    if (languages.length > 1) throw new RdfError('xml:lang twice')
    this.kind = value.kind
    this.value = value.value
    this.language = languages[0]?.toLowerCase()
    this.fields = value.fields
    this.names = value.names
    this.hasValueField = false
  }
}
