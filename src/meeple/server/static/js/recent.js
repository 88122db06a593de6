// A map that holds the newest entries alone.

export class Recent extends Map {
  constructor(max) {
    super();
    this.max = max;
  }

  set(key, value) {
    if (this.size >= this.max) this.delete(this.keys().next().value);
    return super.set(key, value);
  }
}
