import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** Returns whether the scripts of the page run. Until then, disable buttons, because their clicks would be lost. */
export function useReady(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
