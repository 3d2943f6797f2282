import manifest from '../package.json' with { type: 'json' }

/** The running version (semantic versioning); `/health`, `/version` and `cardstock --version` say it. */
export const version: string = manifest.version
