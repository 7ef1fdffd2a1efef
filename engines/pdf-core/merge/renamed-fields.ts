/** Where a name gets a suffix. */
export interface Suffix {
  /** Behind so many UTF-16 code units of the name. */
  at: number
  text: string
}

/** Parts of a name that are looked at. */
const MAX_DOTS = 100

/** Fields that got another name (ISO 32000-2, 12.7.4.2): full names, and what was put behind them. */
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

  /** Where a name of such a field, or of what is below it, changes; undefined if it stays. */
  find(name: string): Suffix | undefined {
    let at = name.length > this.longest ? name.lastIndexOf('.', this.longest) : name.length
    for (let count = 0; at > 0 && count < MAX_DOTS; count++) {
      const text = this.suffixes.get(name.slice(0, at))
      if (text !== undefined) return { at, text }
      at = name.lastIndexOf('.', at - 1)
    }
    return undefined
  }

  /** The name of a field now; undefined if it stays. */
  rename(name: string): string | undefined {
    const suffix = this.find(name)
    return suffix && name.slice(0, suffix.at) + suffix.text + name.slice(suffix.at)
  }
}
