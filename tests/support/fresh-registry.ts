// Files of one worker share its global object. Each file starts without the singletons that earlier files placed.
delete (globalThis as { [key: symbol]: unknown })[Symbol.for('sheaf.registry')]
