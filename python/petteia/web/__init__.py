"""The games in the browser: the page of `petteia play`, which is nothing but the files in static/."""
