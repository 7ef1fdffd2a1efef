/** What a `Map` and a `WeakMap` share. */
interface Entries<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Adds a value to the list of a key. The first value of a key begins its list. */
export function addTo<Key, Value>(lists: Entries<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Returns the value of a key. If the key has none, creates one and stores it. */
export function findOrAdd<Key, Value>(entries: Entries<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = entries.get(key)
  if (known !== undefined) return known
  const made = make()
  entries.set(key, made)
  return made
}
