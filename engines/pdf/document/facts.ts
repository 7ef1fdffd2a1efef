/** A kind of fact. The file that knows how to find the fact declares it. */
export class FactKind<Fact> {
  declare protected readonly type: Fact

  /** `name` helps with debugging. */
  constructor(readonly name: string) {}
}

/** What is known about a document, so that it is found out once. */
export class Facts {
  private readonly facts = new Map<FactKind<unknown>, unknown>()

  /** Undefined if the fact isn't known yet. */
  get<Fact>(kind: FactKind<Fact>): Fact | undefined {
    return this.facts.get(kind) as Fact | undefined // `set` stored it
  }

  set<Fact>(kind: FactKind<Fact>, fact: Fact): Fact {
    this.facts.set(kind, fact)
    return fact
  }

  /** Returns the fact, and finds it out if it isn't known yet. */
  of<Fact>(kind: FactKind<Fact>, find: () => Fact): Fact {
    return this.facts.has(kind) ? (this.get(kind) as Fact) : this.set(kind, find())
  }
}
