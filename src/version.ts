import manifest from '../package.json' with { type: 'json' }

/** The running version (semver), which `/health`, `/version` and `cardstock --version` report. */
export const version: string = manifest.version
