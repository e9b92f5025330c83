// A worker that thinks for the page: one question at a time, which can be ended at any moment.

export class Thinker {
  #worker = null;
  #number = 0;
  /** What hears the answers to the question under way. */
  #told = null;

  get busy() { return this.#told !== null; }

  /** Asks a question; `told` hears every answer. A question under way is ended. */
  ask(question, told) {
    this.stop();
    this.#worker ??= this.#start();
    this.#told = told;
    this.#worker.postMessage({ number: ++this.#number, ...question });
  }

  /** Ends the question under way. Nothing is heard of it any more. */
  stop() {
    if (!this.busy) return;
    this.#told = null;
    this.#worker.terminate();
    this.#worker = null;
  }

  #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { number, ...answer } }) => {
      if (worker !== this.#worker || number !== this.#number) return;
      const told = this.#told;
      if (answer.done) this.#told = null;
      told(answer);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker !== this.#worker || !this.busy) return;
      const told = this.#told;
      this.stop();
      told({ done: true, error: event.message || "its files cannot be loaded" });
    });
    return worker;
  }
}
