import { useEffect, useState } from 'react'

/** Returns the content of a file. Undefined until the file is loaded, and if loading failed. */
export function useLoaded<Value>(file: Blob, load: (file: Blob) => Promise<Value>): Value | undefined {
  const [loaded, setLoaded] = useState<{ of: Blob; value: Value } | null>(null)
  useEffect(() => {
    let isUnmounted = false
    load(file).then(
      value => {
        if (!isUnmounted) setLoaded({ of: file, value })
      },
      () => undefined, // The download works anyway.
    )
    return () => {
      isUnmounted = true
    }
    // A component uses the same `load` for its whole lifetime.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [file])
  return loaded?.of === file ? loaded.value : undefined
}
