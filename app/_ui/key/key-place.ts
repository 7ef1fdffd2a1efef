/** Stands in samples where a key belongs until the browser puts in the one it shows. */
export const KEY_PLACE = 'sheaf_live_YOUR_KEY'
