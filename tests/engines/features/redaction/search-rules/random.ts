/** Returns pseudorandom numbers that are the same every time (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to 1, excluding 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number between two numbers, including both. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(0, items.length - 1)] as Item // The index is within the list.
  }

  /** This many digits. The first digit is one of `first`. */
  digits(count: number, first = '0123456789'): string {
    return this.pick(Array.from(first)) + Array.from({ length: count - 1 }, () => this.whole(0, 9)).join('')
  }

  /**
   * Fills a form: `#` is a digit, `ν` a digit from 2 to 9, `π` a digit from 1 to 9, `α` a capital letter. Other
   * characters stay.
   */
  fill(form: string): string {
    return form.replace(/[#νπα]/g, sign =>
      sign === '#'
        ? this.digits(1)
        : sign === 'ν'
          ? this.digits(1, '23456789')
          : sign === 'π'
            ? this.digits(1, '123456789')
            : this.pick(Array.from('ABCDEFGHKLMRSTVWXYZ')),
    )
  }
}
