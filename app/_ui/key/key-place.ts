/** The placeholder for a key in samples. The browser replaces it with the key that it shows. */
export const KEY_PLACE = 'sheaf_live_YOUR_KEY'
