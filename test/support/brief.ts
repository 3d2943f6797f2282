/** Goes into the environment of processes that live for seconds: compiling WebAssembly to the last tier costs them more than it saves. */
export const brief = { BUN_JSC_useOMGJIT: '0' }
