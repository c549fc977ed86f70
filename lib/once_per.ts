/** A function that makes a value once for each `key`, and keeps it as long as the key is in use. */
export function oncePer<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => made.getOrInsertComputed(key, make);
}
