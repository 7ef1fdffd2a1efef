/** A suffix to insert into a name. */
export interface Suffix {
  /** Position in the name, in UTF-16 code units. */
  at: number
  text: string
}

/** Maximum number of name parts to check. */
const MAX_DOTS = 100

/** Renamed fields (ISO 32000-2, 12.7.4.2): their old full names, and the suffixes that were added. */
export class RenamedFields {
  private readonly suffixes = new Map<string, string>()
  private longest = 0

  get isEmpty(): boolean {
    return this.suffixes.size === 0
  }

  add(fullName: string, suffix: string): void {
    this.suffixes.set(fullName, suffix)
    this.longest = Math.max(this.longest, fullName.length)
  }

  /**
   * Finds the suffix for the name of a renamed field or of one of its descendants. Undefined if the name doesn't
   * change.
   */
  find(name: string): Suffix | undefined {
    let at = name.length > this.longest ? name.lastIndexOf('.', this.longest) : name.length
    for (let count = 0; at > 0 && count < MAX_DOTS; count++) {
      const text = this.suffixes.get(name.slice(0, at))
      if (text !== undefined) return { at, text }
      at = name.lastIndexOf('.', at - 1)
    }
    return undefined
  }

  /** Returns the new name of a field. Undefined if the name doesn't change. */
  rename(name: string): string | undefined {
    const suffix = this.find(name)
    return suffix && name.slice(0, suffix.at) + suffix.text + name.slice(suffix.at)
  }
}

/** Returns the first of the partial names `name_2`, `name_3`, … that no sibling in `taken` has. */
export function freeFieldName(name: string, taken: ReadonlyMap<string, number>): string {
  for (let count = 2; ; count++) if (!taken.has(`${name}_${count}`)) return `${name}_${count}`
}
